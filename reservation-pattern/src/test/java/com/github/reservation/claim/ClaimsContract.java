// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.contract.SideBySide;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The whole contract of claims on one backend. */
@SideBySide
@Execution(ExecutionMode.CONCURRENT)
public abstract class ClaimsContract {

    /** Makes a backend for one test, which closes it. */
    protected abstract ClaimBackend createBackend();

    @Nested
    class Reserve extends ReserveTest {
        @Override
        protected ClaimBackend createBackend() {
            return ClaimsContract.this.createBackend();
        }
    }

    @Nested
    class Confirm extends ConfirmTest {
        @Override
        protected ClaimBackend createBackend() {
            return ClaimsContract.this.createBackend();
        }
    }

    @Nested
    class Release extends ReleaseTest {
        @Override
        protected ClaimBackend createBackend() {
            return ClaimsContract.this.createBackend();
        }
    }

    @Nested
    class Expire extends ExpireTest {
        @Override
        protected ClaimBackend createBackend() {
            return ClaimsContract.this.createBackend();
        }
    }

    @Nested
    class LostReply extends LostReplyTest {
        @Override
        protected ClaimBackend createBackend() {
            return ClaimsContract.this.createBackend();
        }
    }

    @Nested
    @ResourceLock("stress")
    class NastyValues extends NastyValuesTest {
        @Override
        protected ClaimBackend createBackend() {
            return ClaimsContract.this.createBackend();
        }
    }
}
