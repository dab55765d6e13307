// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationManager;
import com.github.reservation.memory.InMemoryStore;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** What tests of the core start from: a manager on a store in memory, in a time that a test moves by hand. */
abstract class InManualTime {

    static final Duration LEASE = Duration.ofSeconds(10);

    final ManualTicker ticker = new ManualTicker();
    final InMemoryStore store = new InMemoryStore(ticker);
    final ReservationManager manager =
            ReservationManager.inMemory(store).domain("core").leaseTime(LEASE).build();
    final ManagerProbe probe = new ManagerProbe(manager);

    @AfterEach
    void close() {
        manager.close();
    }
}
