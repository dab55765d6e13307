// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.FailureContract;
import com.github.reservation.contract.HoldingContract;
import com.github.reservation.contract.LossContract;
import com.github.reservation.contract.PassingContract;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.contract.WaitingContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** The whole contract on a database; a test of one says where it is. */
abstract class JdbcContract {

    protected abstract TestBackend createBackend();

    /** Returns whether the database or its driver loses an interrupt that comes while it is asked. */
    protected boolean swallowsInterrupts() {
        return false;
    }

    @Nested
    class FirstPromises extends AbstractReservationManagerTest {

        private final JdbcBackend backend = (JdbcBackend) JdbcContract.this.createBackend();

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return ReservationManager.jdbc(backend.dataSource())
                    .domain(domain)
                    .leaseTime(leaseTime)
                    .build();
        }

        @Override
        protected void passTime(Duration duration) {
            backend.passTime(duration);
        }

        @Override
        protected void cleanup() {
            backend.close();
        }
    }

    @Nested
    class Holding extends HoldingContract {
        @Override
        protected TestBackend createBackend() {
            return JdbcContract.this.createBackend();
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return JdbcContract.this.createBackend();
        }

        @Override
        protected boolean aNodeMayStay() {
            return true;
        }
    }

    @Nested
    class Passing extends PassingContract {
        @Override
        protected TestBackend createBackend() {
            return JdbcContract.this.createBackend();
        }
    }

    @Nested
    class Failure extends FailureContract {
        @Override
        protected TestBackend createBackend() {
            return JdbcContract.this.createBackend();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return JdbcContract.this.createBackend();
        }
    }

    @Nested
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return JdbcContract.this.createBackend();
        }

        @Override
        protected int roundsPerThread() {
            return 50;
        }

        @Override
        protected boolean storeSwallowsInterrupts() {
            return JdbcContract.this.swallowsInterrupts();
        }

        @Override
        protected Duration stormDuration() {
            return Duration.ofSeconds(5);
        }
    }
}
