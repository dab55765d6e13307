// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.FailureContract;
import com.github.reservation.contract.HoldingContract;
import com.github.reservation.contract.LossContract;
import com.github.reservation.contract.MarginContract;
import com.github.reservation.contract.PassingContract;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** The whole contract on the in-memory store, in hand-driven time. */
class InMemoryContractTest {

    @Nested
    class FirstPromises extends AbstractReservationManagerTest {

        private final ManualTicker ticker = new ManualTicker();
        private final InMemoryStore store = new InMemoryStore(ticker);

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return ReservationManager.inMemory(store).domain(domain).leaseTime(leaseTime).build();
        }

        @Override
        protected void passTime(Duration duration) {
            ticker.advance(duration);
        }

        @Override
        protected void cleanup() {}
    }

    @Nested
    class Holding extends HoldingContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }

    @Nested
    class Passing extends PassingContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }

    @Nested
    class Failure extends FailureContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }

    @Nested
    class Margin extends MarginContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }

    @Nested
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return new InMemoryBackend();
        }
    }
}
