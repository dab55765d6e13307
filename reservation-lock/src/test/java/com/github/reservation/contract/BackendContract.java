// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.ReservationManager;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The whole contract on one backend. A test class of a backend extends this and says how to make a {@link TestBackend}; what
 * the backend cannot do, that one says. All tests run side by side, each on a backend of its own: most of their time goes
 * by while leases run out. Only the stress tests wait for each other.
 */
@SideBySide
@Execution(ExecutionMode.CONCURRENT)
public abstract class BackendContract {

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
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class LeaseTime extends LeaseTimeContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Manager extends ManagerContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class GivingUp extends GivingUpContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Passing extends PassingContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class FailedPass extends FailedPassContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Failure extends FailureContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class LostReply extends LostReplyContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class LateReply extends LateReplyContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class InterruptedCall extends InterruptedCallContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Margin extends MarginContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Leases extends AbstractLockProviderTest {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class FailedLeases extends LockProviderFailureContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Locks extends LockManagerContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Handles extends HeldLockContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Renewal extends AutoRenewalContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    @ResourceLock("stress")
    class Stress extends StressContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }
}
