// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.spring.ReservationProperties.HazelcastSettings;
import com.hazelcast.core.HazelcastInstance;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Keeps reservations in the maps of a Hazelcast cluster.
 *
 * @param database where claims are kept, if the context has a data source
 */
record HazelcastBackend(HazelcastInstance instance, String mapPrefix, Optional<Supplier<Backend>> database)
        implements
        Backend {

    static HazelcastBackend of(
            HazelcastSettings settings, ListableBeanFactory beans, Optional<Supplier<Backend>> database) {
        return new HazelcastBackend(
                ChosenBean.of(beans, HazelcastInstance.class, settings.instance(), "reservation.hazelcast.instance"),
                settings.mapPrefix(),
                database);
    }

    @Override
    public String place() {
        return "in the Hazelcast instance " + instance.getName() + ", in maps called " + mapPrefix + "-<domain>";
    }

    @Override
    public AbstractReservationManagerBuilder<?> newBuilder() {
        return ReservationManager.hazelcast(instance).mapPrefix(mapPrefix);
    }

    @Override
    public Claims openClaims(Consumer<ClaimsBuilder<?>> customizer) {
        return database.isPresent()
                ? database.get().get().openClaims(customizer)
                : Backend.super.openClaims(customizer);
    }

    @Override
    public boolean hasOutbox() {
        return database.isPresent();
    }
}
