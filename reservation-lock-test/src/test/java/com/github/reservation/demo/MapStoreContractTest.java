// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.test.StoreContract;

/** The contract on the example of the package {@code com.github.reservation.store}, in real time. */
@SideBySide
// @start region="contract"
class MapStoreContractTest extends StoreContract {

    private final MapStore store = new MapStore();

    @Override
    protected LeaseStore openStore() {
        return store;
    }
}
// @end
