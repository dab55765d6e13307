// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.spring.ReservationProperties.HazelcastSettings;
import com.hazelcast.core.HazelcastInstance;
import org.springframework.beans.factory.ListableBeanFactory;

/** Keeps reservations in the maps of a Hazelcast cluster. */
record HazelcastBackend(HazelcastInstance instance, String mapPrefix) implements Backend {

    static HazelcastBackend of(HazelcastSettings settings, ListableBeanFactory beans) {
        return new HazelcastBackend(
                ChosenBean.of(beans, HazelcastInstance.class, settings.instance(), "reservation.hazelcast.instance"),
                settings.mapPrefix());
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
