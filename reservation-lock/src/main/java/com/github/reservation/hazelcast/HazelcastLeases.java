// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.LossReason;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.SignallingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.internal.store.WaitingStore;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leases as locked keys of a Hazelcast map.
 *
 * <p>Each acquisition is an {@link Owner} of its own, and Hazelcast does the rest: who has a key, who waits for it, what
 * becomes of it when a member dies. What Hazelcast does not do, the {@link Housekeeper} does: to end a lease on time, and
 * to say who holds it.
 */
final class HazelcastLeases implements WaitingStore, SignallingStore {

    private static final Duration A_LITTLE = Duration.ofMillis(50);

    private final LockMap locks;
    private final Housekeeper housekeeper;
    private final Holders holders;
    private final ClusterWatch cluster;
    private final Duration usualLease;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    /**
     * Makes a store on the map of that name.
     *
     * @param usualLease the lease time of those that have not said theirs yet
     */
    HazelcastLeases(HazelcastInstance instance, String mapName, Duration usualLease) {
        Calls calls = new Calls();
        this.locks = new LockMap(instance, mapName, calls);
        this.housekeeper = new Housekeeper(locks, mapName);
        this.holders = new Holders(locks, housekeeper, usualLease);
        this.cluster = new ClusterWatch(instance, calls, this::loseAll);
        this.usualLease = usualLease;
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        try {
            return acquire(request, Duration.ZERO);
        } catch (InterruptedException e) {
            throw LockMap.interrupted(e);
        }
    }

    @Override
    public Acquisition acquire(AcquireRequest request, Duration patience) throws StoreException, InterruptedException {
        LeaseId lease = request.lease();
        Owner owner = Owner.of(lease);
        if (housekeeper.find(lease) == null && tryLock(owner, patience, request.leaseTime())) {
            housekeeper.keep(new Grant(lease, owner, request.leaseTime()));
            return new Acquisition.Granted(OptionalLong.empty());
        }
        return new Acquisition.Refused(usualLease, false);
    }

    private boolean tryLock(Owner owner, Duration patience, Duration leaseTime)
            throws StoreException, InterruptedException {
        long sent = System.nanoTime();
        try {
            return locks.tryLock(owner, patience, LockTimes.of(leaseTime, patience));
        } catch (InterruptedException e) {
            undo(owner, patience.minusNanos(System.nanoTime() - sent));
            throw e;
        }
    }

    /**
     * Undoes a request that was interrupted: the cluster goes on with it, and might lock the key for somebody who has gone.
     * A second request of the same owner stands behind the first and waits a little longer: when it is answered, so was the
     * first.
     *
     * @throws StoreException if that failed; then the lock may be there, or come
     */
    private void undo(Owner owner, Duration left) throws StoreException {
        Duration longer = left.isPositive() ? left.plus(A_LITTLE) : Duration.ZERO;
        boolean interrupted = false;
        boolean answered = false;
        try {
            while (!answered) {
                try {
                    locks.tryLock(owner, longer, LockTimes.of(Duration.ZERO, longer));
                    locks.unlockAll(owner);
                    answered = true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (StoreException e) {
            interrupted = true;
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "Interrupted, and then: " + e.getMessage(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Set<LeaseId> renewed = new HashSet<>();
        for (LeaseId lease : leases) {
            Grant grant = housekeeper.find(lease);
            if (grant != null && renew(grant, leaseTime)) {
                renewed.add(lease);
            }
        }
        return renewed;
    }

    private boolean renew(Grant grant, Duration leaseTime) throws StoreException {
        grant.turn.lock();
        try {
            Duration left = grant.remaining();
            if (!left.isPositive()) {
                return false;
            }
            Duration longer = leaseTime.compareTo(left) > 0 ? leaseTime : left;
            if (!enterAgain(grant, LockTimes.of(longer, Duration.ZERO))) {
                grant.perhapsMore = true;
                housekeeper.giveBack(grant);
                return false;
            }
            grant.prolong(leaseTime);
            housekeeper.watch(grant);
            return true;
        } catch (InterruptedException e) {
            grant.perhapsMore = true;
            throw LockMap.interrupted(e);
        } catch (StoreException e) {
            grant.perhapsMore = true;
            throw e;
        } finally {
            grant.turn.unlock();
        }
    }

    /**
     * Gives the lock a new end, which Hazelcast does when it is entered again. If it was lost meanwhile and is free, this
     * would acquire it anew: that must show.
     *
     * <p>A lock that was entered twice shows it by itself: to leave it once fails if it is not ours any more, and does not
     * free it if it is. So a lock that is renewed stays entered twice. The first time there is no such proof yet. Then it is
     * entered and left, which frees it if it had been lost, and must still be locked.
     */
    private boolean enterAgain(Grant grant, Duration lockTime) throws StoreException, InterruptedException {
        Owner owner = grant.owner;
        if (grant.entered == 1) {
            boolean still = locks.tryLock(owner, Duration.ZERO, lockTime)
                    && locks.unlock(owner)
                    && locks.isLocked(owner.key());
            if (!still) {
                return false;
            }
        } else {
            grant.entered = 1; // Before it is asked: without an answer it may have been left, and must not be left again.
            if (!locks.unlock(owner)) {
                return false;
            }
        }
        if (!locks.tryLock(owner, Duration.ZERO, lockTime)) {
            return false;
        }
        grant.entered = 2;
        return true;
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        Set<LeaseId> released = new HashSet<>();
        for (LeaseId lease : leases) {
            if (release(lease)) {
                released.add(lease);
            }
        }
        return released;
    }

    private boolean release(LeaseId lease) throws StoreException {
        Grant grant = housekeeper.find(lease);
        try {
            if (grant == null) {
                return locks.unlockAll(Owner.of(lease));
            }
            grant.turn.lock();
            try {
                return housekeeper.giveBack(grant);
            } finally {
                grant.turn.unlock();
            }
        } catch (InterruptedException e) {
            throw LockMap.interrupted(e);
        }
    }

    @Override
    public boolean forceRelease(String key) throws StoreException {
        Grant ours = housekeeper.find(key);
        boolean locked = locks.isLocked(key);
        locks.forceUnlock(key);
        if (ours != null) {
            housekeeper.abandon(ours);
        }
        housekeeper.eraseIfFree(key);
        return locked;
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return holders.find(key);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return holders.list(keyPrefix);
    }

    @Override
    public Subscription subscribe(String node, Listener listener) {
        listeners.put(node, listener);
        return () -> {
            listeners.remove(node, listener);
            if (listeners.isEmpty()) {
                cluster.close();
                housekeeper.close();
            }
        };
    }

    /** The cluster has lost sight of us and drops what we hold, now or soon. */
    private void loseAll() {
        for (Grant grant : housekeeper.all()) {
            grant.cutShort();
            listeners.values().forEach(listener -> listener.lost(grant.lease, LossReason.DISCONNECTED));
        }
        housekeeper.lookAgain();
    }
}
