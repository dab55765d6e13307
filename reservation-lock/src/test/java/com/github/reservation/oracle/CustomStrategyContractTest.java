// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.CoreContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;

/** The contract, but for fences, on a strategy of the user's that can renew. */
@Needs(Backend.ORACLE_MODE)
class CustomStrategyContractTest extends CoreContract {

    @Override
    protected TestBackend createBackend() {
        return new StrategyBackend(MapStrategy.Renewing::new);
    }
}
