// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.contract.ParkingStore;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import com.github.reservation.internal.store.LeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** What depends on time, on the in-memory store in the time of the JVM. */
class InMemoryRealTimeContractTest {

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return new RealTimeBackend();
        }
    }

    @Nested
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return new RealTimeBackend();
        }

        @Override
        protected Duration stormDuration() {
            return Duration.ofSeconds(3);
        }
    }

    /** Waiting again, where the store parks the waiters and the core need not poll. */
    @Nested
    class NativeWaiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return new RealTimeBackend() {
                private final LeaseStore parking = new ParkingStore(super.store());

                @Override
                public LeaseStore store() {
                    return parking;
                }
            };
        }

        @Override
        protected boolean isFairBetweenNodes() {
            return false;
        }
    }
}
