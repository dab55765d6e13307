// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.CoreContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;

/** The whole contract on the in-memory store, in hand-driven time. */
@Needs(Backend.MEMORY)
class InMemoryContractTest extends CoreContract {

    @Override
    protected TestBackend createBackend() {
        return new InMemoryBackend();
    }
}
