// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import org.junit.jupiter.api.Nested;

/** The whole contract of claims on one database. */
public abstract class JdbcClaimsContract extends ClaimsContract {

    @Nested
    class CallersTransaction extends CallersTransactionTest {
        @Override
        protected ClaimBackend createBackend() {
            return JdbcClaimsContract.this.createBackend();
        }
    }

    @Nested
    class LockedRows extends LockedRowsTest {
        @Override
        protected ClaimBackend createBackend() {
            return JdbcClaimsContract.this.createBackend();
        }
    }

    @Nested
    class IsolationLevel extends IsolationLevelTest {
        @Override
        protected ClaimBackend createBackend() {
            return JdbcClaimsContract.this.createBackend();
        }
    }
}
