// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.bridge.StrategyLeaseStore;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.test.StoreContract;
import java.time.Duration;

/** The contract, but for fences and renewals, on a strategy with no more than what there must be. */
@SideBySide
@Needs(Backend.ORACLE_MODE)
class FixedStrategyStoreContractTest extends StoreContract {

    private final ManualTicker ticker = new ManualTicker();
    private final LeaseStore store = StrategyLeaseStore.of(new MapStrategy(ticker));

    @Override
    protected LeaseStore openStore() {
        return store;
    }

    @Override
    protected void passTime(Duration time) {
        ticker.advance(time);
    }
}
