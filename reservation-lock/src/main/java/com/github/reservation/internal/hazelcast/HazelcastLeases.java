// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Leases as locked keys of a Hazelcast map.
 *
 * <p>Each request is an {@link Owner} of its own, and Hazelcast does the rest: who has a key, who waits for it, what
 * becomes of it when a member dies. What Hazelcast does not do, the {@link Housekeeper} does: to end a lease on time, and
 * to say who holds it.
 */
public final class HazelcastLeases implements WaitingStore, SignallingStore {

    /** How long Hazelcast parks a waiter at most before the core checks whether it still wants the key. */
    public static final Duration LONGEST_WAIT = Duration.ofMillis(250);

    private final Calls calls = new Calls();
    private final LockMap locks;
    private final LateGrants late;
    private final Requests requests;
    private final Renewals renewals;
    private final Housekeeper housekeeper;
    private final Holders holders;
    private final Majority majority;
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
        MemberConfig.check(instance, mapName, usualLease, LockTimes.of(usualLease, LONGEST_WAIT));
        this.locks = new LockMap(instance, mapName, calls, this::refused);
        this.late = new LateGrants(locks, calls, mapName);
        this.requests = new Requests(locks, late);
        this.majority = new Majority(locks, this::loseToTheMajority, mapName);
        this.housekeeper = new Housekeeper(locks, late, () -> !calls.isOffline() && !majority.isRefused(), mapName);
        this.holders = new Holders(locks, housekeeper, usualLease);
        this.cluster = new ClusterWatch(instance, calls, this::loseAll, majority::ask);
        this.partitions = new PartitionWatch(instance, mapName, this::losePartition);
        this.instance = instance;
        this.mapName = mapName;
        this.renewals = new Renewals(locks, housekeeper, cluster);
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
        Owner owner = Owner.of(lease.key());
        int cutOffs = calls.cutOffs();
        if (!used.get() && used.compareAndSet(false, true)) {
            MemberConfig.warn(instance, mapName);
            partitions.start();
        }
        if (cluster.isLeaving()) {
            throw new StoreException(Kind.UNAVAILABLE, "The Hazelcast instance is leaving its cluster");
        }
        Doubt doubt = new Doubt(cluster, patience);
        if (housekeeper.find(lease) != null || !requests.tryLock(owner, patience, request.leaseTime())) {
            return new Acquisition.Refused(usualLease, false);
        }
        boolean askedAgain = doubt.isThere();
        for (boolean inDoubt = askedAgain; inDoubt; inDoubt = doubt.aMemberDied()) {
            doubt = new Doubt(cluster, Duration.ZERO);
            if (!isConfirmed(owner, request.leaseTime().plus(patience))) {
                return new Acquisition.Refused(usualLease, false);
            }
        }
        Grant grant = new Grant(lease, owner, request.leaseTime());
        grant.enteredMore = askedAgain;
        housekeeper.keep(grant);
        // It was kept before this is read, and a cut-off is counted before those are told that are kept: one sees the other.
        if (calls.cutOffs() != cutOffs) {
            housekeeper.abandon(grant);
            late.release(owner);
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "The connection to the Hazelcast cluster was lost");
        }
        return new Acquisition.Granted(OptionalLong.empty());
    }

    /**
     * Asks once more for a lock that was granted while a member died or fell silent. That one may have granted it without
     * telling its backup: Hazelcast waits for the backup for some seconds, and then says yes all the same.
     */
    private boolean isConfirmed(Owner owner, Duration leaseTime) throws StoreException, InterruptedException {
        try {
            return requests.tryLock(owner, Duration.ZERO, leaseTime);
        } catch (StoreException e) {
            if (e.kind() != Kind.OUTCOME_UNKNOWN) {
                late.release(owner); // This one was not carried out, but the first was granted.
            }
            throw e;
        }
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Set<LeaseId> renewed = new HashSet<>();
        for (LeaseId lease : leases) {
            Grant grant = housekeeper.find(lease);
            if (grant != null && renewals.renew(grant, leaseTime)) {
                renewed.add(lease);
            }
        }
        return renewed;
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
        if (grant == null) {
            return false; // It has ended, or was never granted: those who may be granted it late are looked after.
        }
        boolean given = false;
        grant.turn.lock();
        try {
            boolean released = giveBack(grant);
            given = true;
            return released;
        } catch (InterruptedException e) {
            throw LockMap.interrupted(e);
        } finally {
            grant.turn.unlock();
            if (!given) {
                housekeeper.resume(grant);
            }
        }
    }

    /**
     * Gives the grant back; false if it was lost. If a member died meanwhile, it may have been given back there, and Hazelcast
     * have asked the next member too, who knows nothing of it. Or that one has never heard that it was given back.
     */
    private boolean giveBack(Grant grant) throws StoreException, InterruptedException {
        housekeeper.eraseDescription(grant);
        Doubt doubt = new Doubt(cluster, Duration.ZERO);
        boolean wasOver = grant.isOver();
        boolean released = housekeeper.unlock(grant);
        if (released && doubt.isThere()) {
            late.release(grant.owner);
        }
        return released || (!wasOver && doubt.mayHaveAskedTwice());
    }

    @Override
    public boolean forceRelease(String key) throws StoreException {
        Grant ours = housekeeper.find(key);
        if (ours == null) {
            return forceUnlock(key);
        }
        ours.turn.lock(); // A renewal that is under way would bring it back.
        try {
            boolean locked = forceUnlock(key);
            housekeeper.abandon(ours);
            return locked;
        } finally {
            ours.turn.unlock();
            housekeeper.resume(ours);
        }
    }

    private boolean forceUnlock(String key) throws StoreException {
        boolean locked = locks.isLocked(key);
        locks.forceUnlock(key);
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
    public Subscription subscribe(Listener listener) {
        listeners.add(listener);
        return () -> {
            listeners.remove(listener);
            if (listeners.isEmpty()) {
                cluster.close();
                partitions.close();
                majority.close();
                housekeeper.close();
            }
        };
    }

    private void refused() {
        majority.ask();
    }

    /** The other side of a split frees what this side holds. */
    private void loseToTheMajority() {
        calls.countCutOff(); // Before those are told that are kept; see acquire.
        loseAll();
    }

    /** The cluster has lost sight of us and drops what we hold, now or soon. */
    private void loseAll() {
        lose(grant -> true);
    }

    /** The cluster has lost a partition, with all copies. */
    private void losePartition(int partition) {
        lose(grant -> grant.partition(instance.getPartitionService()) == partition);
    }

    /** Cuts all of them short before the first is told: there may be many. */
    private void lose(Predicate<Grant> which) {
        Set<LeaseId> lost = new HashSet<>();
        for (Grant grant : housekeeper.all()) {
            if (!grant.isCutShort() && which.test(grant)) {
                grant.cutShort();
                lost.add(grant.lease);
            }
        }
        if (!lost.isEmpty()) {
            listeners.forEach(listener -> listener.lost(lost, LossReason.DISCONNECTED));
            housekeeper.lookAgain();
        }
    }
}
