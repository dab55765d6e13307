// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Stands in front of a store, whose calls a subclass changes: one of them, or all of them alike. */
public abstract class ForwardingStore implements LeaseStore {

    /** One call to the store. */
    @FunctionalInterface
    protected interface Call<T> {
        T run() throws StoreException;
    }

    private final LeaseStore store;

    protected ForwardingStore(LeaseStore store) {
        this.store = store;
    }

    /** Makes any of the calls. */
    protected <T> T call(String name, Call<T> call) throws StoreException {
        return call.run();
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return call("acquire", () -> store.acquire(request));
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return call("renew", () -> store.renew(leases, lease));
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return call("release", () -> store.release(leases));
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return call("forceRelease", () -> store.forceRelease(key));
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return call("find", () -> store.find(key));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return call("list", () -> store.list(keyPrefix));
    }
}
