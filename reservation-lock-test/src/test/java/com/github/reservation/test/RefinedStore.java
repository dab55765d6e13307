// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.Registration;
import com.github.reservation.contract.ForwardingStore;
import com.github.reservation.internal.memory.Faults;
import com.github.reservation.internal.memory.MemoryLeaseStore;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import java.util.Optional;

/** The store in memory, of which a subclass breaks a part. */
class RefinedStore extends ForwardingStore implements SignallingStore, QueueingStore {

    final ManualTicker ticker;
    final MemoryLeaseStore leases;

    RefinedStore() {
        this(new ManualTicker());
    }

    private RefinedStore(ManualTicker ticker) {
        this(ticker, new MemoryLeaseStore(ticker, new Faults()));
    }

    private RefinedStore(ManualTicker ticker, MemoryLeaseStore leases) {
        super(leases);
        this.ticker = ticker;
        this.leases = leases;
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return leases.releaseAndQueue(lease, node, mayStay);
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        return leases.pass(lease, next, mayStay);
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        leases.withdraw(key, node);
    }

    @Override
    public Registration subscribe(Listener listener) {
        return leases.subscribe(listener);
    }
}
