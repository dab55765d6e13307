// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import org.junit.jupiter.api.Nested;

/**
 * The whole contract on one backend. A test class of a backend extends this and says how to make a {@link TestBackend}; what
 * the backend cannot do, that one says.
 */
public abstract class BackendContract extends DriverContract {

    @Nested
    class GivingUp extends GivingUpContract {
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
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }

    @Nested
    class Forcing extends ForcingContract {
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
    class Working extends WorkContract {
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
    class HangingRenewal extends HangingRenewalContract {
        @Override
        protected TestBackend createBackend() {
            return BackendContract.this.createBackend();
        }
    }
}
