// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

/** The contract, but for fences, on a strategy of the user's that can renew. */
class CustomStrategyContractTest extends StrategyContract {

    CustomStrategyContractTest() {
        super(MapStrategy.Renewing::new);
    }
}
