// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.Ticker;
import com.github.reservation.contract.FailureContract;
import com.github.reservation.contract.HoldingContract;
import com.github.reservation.contract.LossContract;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import com.github.reservation.internal.oracle.StrategyLeases;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;

/** The contract on a strategy that a user has written, in a time that is moved by hand. */
abstract class StrategyContract {

    private final Function<Ticker, LockingStrategy> strategies;

    StrategyContract(Function<Ticker, LockingStrategy> strategies) {
        this.strategies = strategies;
    }

    private TestBackend backend() {
        return new StrategyBackend(strategies);
    }

    @Nested
    class Holding extends HoldingContract {
        @Override
        protected TestBackend createBackend() {
            return backend();
        }

        @Override
        protected boolean hasFencing() {
            return false;
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return backend();
        }

        @Override
        protected boolean isFairBetweenNodes() {
            return false;
        }
    }

    @Nested
    class Failure extends FailureContract {
        @Override
        protected TestBackend createBackend() {
            return backend();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return backend();
        }
    }

    @Nested
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return backend();
        }

        @Override
        protected Duration stormDuration() {
            return Duration.ofSeconds(2);
        }
    }

    /** Nodes that share one strategy. */
    private static final class StrategyBackend extends TestBackend {

        private final ManualTicker ticker = new ManualTicker();
        private final LeaseStore store;

        StrategyBackend(Function<Ticker, LockingStrategy> strategies) {
            this.store = StrategyLeases.of(strategies.apply(ticker));
        }

        @Override
        public LeaseStore store() {
            return store;
        }

        @Override
        public Ticker ticker() {
            return ticker;
        }

        @Override
        public void passTime(Duration duration) {
            ticker.advance(duration);
        }

        @Override
        public void passAMoment() throws InterruptedException {
            ticker.advance(Duration.ofMillis(5));
            Thread.sleep(1);
        }
    }
}
