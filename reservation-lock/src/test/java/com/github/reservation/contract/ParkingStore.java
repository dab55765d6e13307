// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.Renewal;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.internal.store.WaitingStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives a store what it has not: it parks a waiter itself, as a store with waiting built in would. */
public final class ParkingStore implements WaitingStore {

    private final LeaseStore store;
    private final AtomicInteger parked = new AtomicInteger();

    public ParkingStore(LeaseStore store) {
        this.store = store;
    }

    /** Returns how many callers are parked in the store now. */
    public int parked() {
        return parked.get();
    }

    @Override
    public Acquisition acquire(AcquireRequest request, Duration patience) throws StoreException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        AcquireRequest longer = new AcquireRequest(
                request.lease(), request.leaseTime().plus(patience), request.node(), request.waits(), request.polls());
        parked.incrementAndGet();
        try {
            while (true) {
                Acquisition answer = acquire(longer);
                if (answer instanceof Acquisition.Granted || System.nanoTime() - deadline >= 0) {
                    return answer;
                }
                Thread.sleep(1);
            }
        } finally {
            parked.decrementAndGet();
        }
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return store.acquire(AcquireRequest.once(request.lease(), request.leaseTime(), request.node()));
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return store.renew(leases, lease);
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return store.release(leases);
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return store.forceRelease(key);
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return store.find(key);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return store.list(keyPrefix);
    }
}
