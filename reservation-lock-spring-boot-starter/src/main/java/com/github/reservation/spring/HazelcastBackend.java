// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.spring.ReservationProperties.HazelcastSettings;
import com.hazelcast.core.HazelcastInstance;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Keeps reservations in the maps of a Hazelcast cluster.
 *
 * @param database where claims are kept, if the context has a data source
 */
record HazelcastBackend(HazelcastInstance instance, String mapPrefix, Optional<Supplier<JdbcBackend>> database)
        implements
        Backend {

    static HazelcastBackend of(
            HazelcastSettings settings, ListableBeanFactory beans, Optional<Supplier<JdbcBackend>> database) {
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
}
