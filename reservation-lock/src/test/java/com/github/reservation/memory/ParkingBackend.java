// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.contract.ParkingStore;
import com.github.reservation.internal.store.LeaseStore;

/** The in-memory store in the time of the JVM, which parks the waiters itself. */
final class ParkingBackend extends RealTimeBackend {

    private final LeaseStore parking = new ParkingStore(super.store());

    @Override
    public LeaseStore store() {
        return parking;
    }

    @Override
    public boolean isFairBetweenNodes() {
        return false;
    }
}
