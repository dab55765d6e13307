// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;
import java.util.Objects;

/** Builds managers on an {@link InMemoryStore}. */
public final class InMemoryReservationManagerBuilder
        extends AbstractReservationManagerBuilder<InMemoryReservationManagerBuilder> {

    private static final Duration FIRST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofMillis(100);

    private final InMemoryStore store;

    /** Creates a builder, like {@link ReservationManager#inMemory(InMemoryStore)}. */
    public InMemoryReservationManagerBuilder(InMemoryStore store) {
        this.store = Objects.requireNonNull(store, "store must not be null");
    }

    @Override
    public ReservationManager build() {
        return new StoreReservationManager(
                store.leases(),
                new ManagerSettings(
                        requireDomain(),
                        leaseTime(),
                        true,
                        FIRST_POLL,
                        LONGEST_POLL,
                        store.ticker(),
                        Meters.of(meterRegistry(), "memory"))
                        .autoRenew(maxHold())
                        .holderLabel(holderLabel()));
    }
}
