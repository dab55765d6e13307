// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.CoreContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;

/** The contract, but for fences and renewals, on a strategy with no more than what there must be. */
@Needs(Backend.ORACLE_MODE)
class FixedStrategyContractTest extends CoreContract {

    @Override
    protected TestBackend createBackend() {
        return new StrategyBackend(MapStrategy::new);
    }
}
