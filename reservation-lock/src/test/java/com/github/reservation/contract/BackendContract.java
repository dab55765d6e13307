// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import org.junit.jupiter.api.Nested;

/**
 * The contract on one backend: what every {@linkplain DriverContract driver} could break, and the doors of the library that are not
 * locks. A test class of a backend extends this and says how to make a {@link TestBackend}; what the backend cannot do, that one says.
 * The store of the backend is tested directly by {@code StoreContract} of the module {@code reservation-lock-test}.
 */
public abstract class BackendContract extends DriverContract {

    @Nested
    class Forcing extends ForcingContract {
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
}
