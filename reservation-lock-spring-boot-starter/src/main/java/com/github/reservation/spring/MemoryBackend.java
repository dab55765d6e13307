// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.InMemoryStore;

/**
 * Keeps reservations in the memory of this JVM.
 *
 * @param store the store; a bean of the application if it has one, so that tests can break it
 */
record MemoryBackend(InMemoryStore store) implements Backend {

    @Override
    public String place() {
        return "in the memory of this JVM";
    }

    @Override
    public AbstractReservationManagerBuilder<?> newBuilder() {
        return ReservationManager.inMemory(store);
    }
}
