// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.ReservationManager;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The part of the contract that another driver, or another way to keep the table, could break. It is enough where another class runs
 * the {@linkplain BackendContract whole contract} with the same statements: the rest is about the library alone. All tests run side
 * by side, each on a backend of its own: most of their time goes by while leases run out. Only the stress tests wait for each other.
 */
@SideBySide
@Execution(ExecutionMode.CONCURRENT)
public abstract class DriverContract {

    /** Makes a backend for one test, which closes it. */
    protected abstract TestBackend createBackend();

    @Nested
    class FirstPromises extends AbstractReservationManagerTest {

        private final TestBackend backend = createBackend();

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return backend.manager(domain, leaseTime);
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
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class LeaseTime extends LeaseTimeContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Manager extends ManagerContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Passing extends PassingContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class LateReply extends LateReplyContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class InterruptedCall extends InterruptedCallContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    class Leases extends AbstractLockProviderTest {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }

    @Nested
    @ResourceLock("stress")
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return DriverContract.this.createBackend();
        }
    }
}
