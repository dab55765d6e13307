// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import org.junit.jupiter.api.Nested;

/** The whole contract, with what is about the library alone: for backends in hand-driven time. See {@link DriverContract}. */
public abstract class CoreContract extends BackendContract {

    @Nested
    class GivingUp extends GivingUpContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class FailedPass extends FailedPassContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class Failure extends FailureContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class LostReply extends LostReplyContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class Loss extends LossContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class Margin extends MarginContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class FailedLeases extends LockProviderFailureContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class Handles extends HeldLockContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class Renewal extends AutoRenewalContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class HangingRenewal extends HangingRenewalContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }

    @Nested
    class LateReply extends LateReplyContract {
        @Override
        protected TestBackend createBackend() {
            return CoreContract.this.createBackend();
        }
    }
}
