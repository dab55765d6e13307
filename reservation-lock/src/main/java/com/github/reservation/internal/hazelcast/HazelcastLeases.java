// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.LossReason;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Renewal;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Leases as locked keys of a Hazelcast map.
 *
 * <p>Each request is a {@link LockOwner} of its own. Hazelcast does the rest: it decides which owner has a key, parks the
 * waiters, and keeps the locks when a member dies. What Hazelcast does not do is done here: {@link OwnedLocks} ends a lease on
 * time, and {@link HolderDescriptions} says who holds it.
 */
public final class HazelcastLeases implements WaitingStore, SignallingStore {

    /** How long Hazelcast parks a waiter at most before the core checks whether it still wants the key. */
    public static final Duration LONGEST_WAIT = Duration.ofMillis(250);

    private final InFlightCalls calls = new InFlightCalls();
    private final LockMap map;
    private final LateGrantCleanup late;
    private final LockRequests requests;
    private final Renewals renewals;
    private final OwnedLocks owned;
    private final HolderDescriptions descriptions;
    private final HolderLookup holders;
    private final SplitBrainProbe splitBrain;
    private final ClusterWatch cluster;
    private final PartitionWatch partitions;
    private final HazelcastInstance instance;
    private final String mapName;
    private final Duration usualLease;
    private final AtomicBoolean used = new AtomicBoolean();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /**
     * Makes a store on the map of that name; asks the cluster nothing.
     *
     * @param usualLease the lease time of holders whose own is not known yet
     * @throws IllegalStateException if the instance is shut down, or its configuration does not allow the lease time
     */
    public HazelcastLeases(HazelcastInstance instance, String mapName, Duration usualLease) {
        ConfigCheck.check(instance, mapName, usualLease, LockTimes.of(usualLease, LONGEST_WAIT));
        String threadName = "reservation-leases-" + mapName;
        this.instance = instance;
        this.mapName = mapName;
        this.usualLease = usualLease;
        this.map = new LockMap(instance, mapName, calls, this::refused);
        this.late = new LateGrantCleanup(map, calls, mapName);
        this.splitBrain = new SplitBrainProbe(map, this::loseToTheMajority, mapName);
        this.descriptions = new HolderDescriptions(map, threadName);
        this.owned = new OwnedLocks(
                map, descriptions, late, () -> !calls.isOffline() && !splitBrain.isRefused(), threadName);
        this.holders = new HolderLookup(map, owned, usualLease);
        this.cluster = new ClusterWatch(instance, calls, this::loseAll, splitBrain::start);
        this.partitions = new PartitionWatch(instance, mapName, this::losePartition);
        this.requests = new LockRequests(map, cluster, late);
        this.renewals = new Renewals(map, owned, cluster);
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
        int cutOffs = calls.cutOffs();
        if (!used.get() && used.compareAndSet(false, true)) {
            ConfigCheck.warn(instance, mapName);
        }
        if (cluster.isLeaving()) {
            throw new StoreException(Kind.UNAVAILABLE, "The Hazelcast instance is leaving its cluster");
        }
        OwnedLock lock =
                owned.find(lease) == null ? requests.acquire(lease, request.leaseTime(), patience) : null;
        partitions.start();
        if (lock == null) {
            return new Acquisition.Refused(usualLease, false);
        }
        owned.add(lock);
        // The lock is added before the count is read, and a loss is counted before its locks are lost: one sees the other.
        if (calls.cutOffs() != cutOffs) {
            owned.drop(lock);
            late.release(lock.owner);
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "The Hazelcast cluster was lost, or a part of its data");
        }
        return new Acquisition.Granted(OptionalLong.empty());
    }

    @Override
    public int mostLeasesInACall() {
        return 1;
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Set<LeaseId> renewed = new HashSet<>();
        for (LeaseId lease : leases) {
            OwnedLock lock = owned.find(lease);
            if (lock != null && renewals.renew(lock, leaseTime)) {
                renewed.add(lease);
            }
        }
        return Renewal.decided(renewed);
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        Set<LeaseId> released = new HashSet<>();
        for (LeaseId lease : leases) {
            // Without a lock the lease has ended or was never granted; a late grant is cleaned up by itself.
            OwnedLock lock = owned.find(lease);
            if (lock != null && owned.inTurn(lock, () -> release(lock))) {
                released.add(lease);
            }
        }
        return released;
    }

    /**
     * Releases the lock; false if it was lost or its lease is over, even if the key is still to be unlocked. If a member died
     * meanwhile, that member may have unlocked the key, and Hazelcast have asked the next one, which finds it free. Or the next one
     * has never heard of the unlock. A lock that another thread released or ended meanwhile is left alone, see {@link OwnedLocks#end}.
     */
    private boolean release(OwnedLock lock) throws StoreException, InterruptedException {
        if (owned.find(lock.lease) != lock) {
            return false;
        }
        boolean wasOver = lock.isOver();
        descriptions.erase(lock);
        AnswerCheck check = new AnswerCheck(cluster);
        boolean released = owned.unlock(lock);
        if (released && check.isDoubtful()) {
            late.release(lock.owner);
        }
        return !wasOver && (released || check.mayHaveRunTwice());
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        OwnedLock ours = owned.find(key);
        if (ours == null) {
            return forceUnlock(key);
        }
        return owned.inTurn(ours, () -> { // A renewal in flight would bring the lock back.
            Optional<LeaseId> ended = forceUnlock(key);
            owned.drop(ours);
            return ended;
        });
    }

    /** Names the holder that it found before; Hazelcast does not return whose lock it ended. */
    private Optional<LeaseId> forceUnlock(String key) throws StoreException {
        Optional<LeaseId> found = holders.find(key).map(StoredLease::id);
        map.forceUnlock(key);
        descriptions.eraseIfFree(key);
        return found;
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
    public Subscription subscribe(Listener listener) {
        listeners.add(listener);
        return () -> {
            listeners.remove(listener);
            if (listeners.isEmpty()) {
                cluster.close();
                partitions.close();
                splitBrain.close();
                owned.close();
            }
        };
    }

    private void refused() {
        splitBrain.start();
    }

    /** The other side of a split frees the locks of this side. */
    private void loseToTheMajority() {
        calls.countCutOff(); // Before the locks are lost; see acquire.
        loseAll();
    }

    /** The cluster has lost its connection to this process and frees its locks, now or soon. */
    private void loseAll() {
        lose(lock -> true);
    }

    /** The cluster has lost a partition, with all copies. */
    private void losePartition(int partition) {
        calls.countCutOff(); // Before the locks are lost; see acquire.
        lose(lock -> lock.partition(instance.getPartitionService()) == partition);
    }

    /** Ends all of the leases before the listeners are notified of the first: there may be many. */
    private void lose(Predicate<OwnedLock> which) {
        Set<LeaseId> lost = new HashSet<>();
        for (OwnedLock lock : owned.all()) {
            if (!lock.hasEndedEarly() && which.test(lock)) {
                lock.endEarly();
                lost.add(lock.lease);
            }
        }
        if (!lost.isEmpty()) {
            listeners.forEach(listener -> listener.lost(lost, LossReason.DISCONNECTED));
            owned.wake();
        }
    }
}
