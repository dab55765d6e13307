// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.Registration;
import com.github.reservation.internal.memory.Faults;
import com.github.reservation.internal.memory.MemoryLeaseStore;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The store in memory, of which a subclass breaks a part. */
class RefinedStore implements SignallingStore, QueueingStore {

    final ManualTicker ticker = new ManualTicker();
    final MemoryLeaseStore leases = new MemoryLeaseStore(ticker, new Faults());

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return leases.acquire(request);
    }

    @Override
    public Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
        return leases.renew(ids, lease);
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
        return leases.release(ids);
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return leases.forceRelease(key);
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return leases.find(key);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return leases.list(keyPrefix);
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
