// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.claim.InMemoryClaimsBuilder;
import com.github.reservation.memory.InMemoryStore;
import java.util.function.Consumer;

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

    @Override
    public Claims openClaims(Consumer<ClaimsBuilder<?>> customizer) {
        InMemoryClaimsBuilder builder = Claims.inMemory();
        customizer.accept(builder);
        return builder.build();
    }
}
