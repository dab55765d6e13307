// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** What tests of arguments start from: a manager on a store in memory, in a time that a test moves by hand. */
abstract class OnOrders {

    static final Duration LEASE = Duration.ofMinutes(2);
    static final Duration TOO_LONG = Duration.ofSeconds(Long.MAX_VALUE);

    final ManualTicker ticker = new ManualTicker();
    final InMemoryStore store = new InMemoryStore(ticker);
    final ReservationManager manager =
            ReservationManager.inMemory(store).domain("orders").leaseTime(LEASE).build();
    final Reservation reservation = manager.getReservation("42");

    @AfterEach
    void close() {
        manager.close();
    }
}
