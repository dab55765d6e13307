// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.Ticker;
import com.github.reservation.contract.LossContract;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import com.github.reservation.internal.store.LeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** What depends on time, on the in-memory store in the time of the JVM. */
class InMemoryRealTimeContractTest {

    /** The in-memory store on the time of the JVM. */
    private static final class Backend extends TestBackend {

        private final InMemoryStore store = new InMemoryStore();

        @Override
        public LeaseStore store() {
            return store.leases();
        }

        @Override
        public Ticker ticker() {
            return store.ticker();
        }

        @Override
        public void passTime(Duration duration) {
            try {
                Thread.sleep(duration);
            } catch (InterruptedException e) {
                throw new AssertionError("A test was interrupted while it let time pass", e);
            }
        }

        @Override
        public void passAMoment() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return new Backend();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return new Backend();
        }
    }

    @Nested
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return new Backend();
        }

        @Override
        protected Duration stormDuration() {
            return Duration.ofSeconds(3);
        }
    }
}
