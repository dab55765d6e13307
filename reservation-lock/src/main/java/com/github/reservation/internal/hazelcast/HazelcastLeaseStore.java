// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.internal.hazelcast.LeaseDecisions.Answer;
import com.github.reservation.internal.hazelcast.OwnedLeases.Owned;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.query.Predicates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Leases as entries of a Hazelcast map, one for each key: {@link MapRecord} is the value, {@link LeaseMap} changes it by comparing
 * and setting, {@link LeaseDecisions} says how, {@link ClusterClock} says when a lease is over, and {@link KeyNews} wakes the next
 * node. A key that is released keeps its record for a day, with the last fence.
 *
 * <p>A process that lives ends its leases on time, see {@link OwnedLeases}. The cluster's clock ends those of dead ones.
 */
public final class HazelcastLeaseStore implements QueueingStore, SignallingStore, PurgingStore {

    /** The longest pause of a node that polls because no message can reach it; one that is told of a free key polls once a second. */
    public static final Duration LONGEST_POLL = Duration.ofMillis(250);

    private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);
    private static final Duration SHORTEST_CALL = Duration.ofSeconds(1);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(2);
    /** A release, and a caller that waits, have as long as members need to replace one that died. */
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

    private static final int RENEWALS_IN_A_CALL = 100_000;

    private final HazelcastInstance instance;
    private final String mapName;
    private final Duration usualLease;
    private final LimitedCalls calls;
    private final ClusterWatch cluster;
    private final KeyNews news;
    private final LeaseMap map;
    private final OwnedLeases owned;
    private final Lanes lanes;
    private final Lock guard = new ReentrantLock();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** By their keys: acquisitions without an answer. If the core finds one of them in the store, this process owns its lease. */
    private final Map<String, LeaseId> inDoubt = new ConcurrentHashMap<>();

    private volatile boolean used;

    /**
     * Makes a store on the map of that name; asks the cluster nothing.
     *
     * @param usualLease the lease time of most leases, which limits calls that are not about a certain lease
     * @throws IllegalStateException if the instance is shut down, or its configuration would lose locks
     */
    public HazelcastLeaseStore(HazelcastInstance instance, String mapName, Duration usualLease) {
        ConfigCheck.check(instance, mapName);
        this.instance = instance;
        this.mapName = mapName;
        this.usualLease = usualLease;
        this.cluster = new ClusterWatch(instance, this::checkOwned, this::loseOwned);
        this.calls = new LimitedCalls(cluster::isOffline);
        this.news = new KeyNews(instance, mapName, this::changed);
        this.map = new LeaseMap(instance, mapName, calls, cluster, news);
        this.lanes = new Lanes(instance);
        this.owned = new OwnedLeases(map, lanes, this::lost, HazelcastLeaseStore::limitOfPatience);
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        String key = request.lease().key();
        long deadline = request.waits() ? limitOfPatience() : limit(request.leaseTime());
        Answer answer;
        try {
            answer = map.change(key, deadline, LeaseDecisions.acquire(request));
        } catch (StoreException e) {
            if (e.kind() == Kind.OUTCOME_UNKNOWN) {
                inDoubt.put(key, request.lease());
            }
            throw e;
        }
        Owned granted = answer.granted();
        if (granted != null) {
            owned.add(granted);
            if (!used) {
                firstUse(request.lease(), deadline);
            }
        }
        return answer.acquisition();
    }

    /** Refuses the first grant if the map cannot keep it: a client sees the settings of the map only in an entry. */
    private void firstUse(LeaseId lease, long deadline) throws StoreException {
        try {
            map.requireUsable(lease.key(), deadline);
        } catch (StoreException e) {
            release(List.of(lease));
            throw e;
        }
        used = true;
        ConfigCheck.warn(instance, mapName);
    }

    @Override
    public int mostLeasesInACall() {
        return RENEWALS_IN_A_CALL;
    }

    /** Renews the leases of each member beside those of the others, so that a silent member costs the others nothing. */
    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        long deadline = System.nanoTime()
                + Math.min(LONGEST_PATIENCE.toNanos(), nanos(leaseTime) / 6 + SHORTEST_CALL.toNanos() / 10);
        Set<LeaseId> renewed = ConcurrentHashMap.newKeySet();
        Map<LeaseId, StoreException> failures =
                lanes.run(leases, lease -> {
                    if (renew(lease, leaseTime, deadline)) {
                        renewed.add(lease);
                    }
                });
        if (leases.size() == 1 && !failures.isEmpty()) {
            throw failures.values().iterator().next();
        }
        return new Renewal(renewed, failures.keySet());
    }

    private boolean renew(LeaseId lease, Duration leaseTime, long deadline) throws StoreException {
        Optional<Owned> renewed = map.change(lease.key(), deadline, LeaseDecisions.renew(lease, leaseTime));
        renewed.ifPresent(owned::add);
        return renewed.isPresent();
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        long deadline = limitOfPatience();
        Set<LeaseId> released = ConcurrentHashMap.newKeySet();
        Map<LeaseId, StoreException> failures = lanes.run(leases, lease -> {
            if (release(lease, null, deadline)) {
                released.add(lease);
            }
        });
        if (!failures.isEmpty()) {
            throw failures.values().iterator().next();
        }
        return released;
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return release(lease, node, limitOfPatience());
    }

    private boolean release(LeaseId lease, @Nullable String queuing, long deadline) throws StoreException {
        inDoubt.remove(lease.key(), lease);
        owned.forget(lease);
        return map.change(lease.key(), deadline, LeaseDecisions.release(lease, queuing));
    }

    @Override
    public Optional<Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay) throws StoreException {
        Optional<Owned> passed =
                map.change(lease.key(), limit(next.leaseTime()), LeaseDecisions.pass(lease, next));
        passed.ifPresent(granted -> {
            owned.forget(lease);
            owned.add(granted);
        });
        return passed.map(granted -> new Granted(OptionalLong.of(granted.written().row().fence())));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        map.change(key, limit(usualLease), LeaseDecisions.withdraw(node));
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return map.change(key, limit(usualLease), LeaseDecisions.forceRelease());
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        long deadline = limit(usualLease);
        MapRecord record = map.get(key, deadline);
        LeaseId doubtful = inDoubt.remove(key);
        if (record == null) {
            return Optional.empty();
        }
        Moment now = map.now(deadline);
        if (doubtful != null && record.isOf(doubtful)) {
            owned.add(LeaseDecisions.adopt(record, doubtful, now));
        }
        return LeaseDecisions.stored(record, now);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        long deadline = limit(usualLease);
        List<StoredLease> leases = new ArrayList<>();
        Moment now = map.now(deadline);
        map.find(Predicates.like("this", MapRecord.HELD + '%'), deadline).forEach((key, record) -> {
            if (key.startsWith(keyPrefix)) {
                LeaseDecisions.stored(record, now).ifPresent(leases::add);
            }
        });
        return leases;
    }

    @Override
    public Object purgeScope() {
        return "map " + mapName + " of " + instance.getName();
    }

    @Override
    public boolean purge() throws StoreException {
        long deadline = limit(usualLease);
        long now = map.now(deadline).lo();
        long patience = LeaseDecisions.micros(FORGOTTEN_AFTER);
        Map<String, MapRecord> old = map.find(
                Predicates.or(
                        Predicates.like("this", MapRecord.HELD + '%'),
                        Predicates.between("this", MapRecord.FREE, MapRecord.FREE + MapRecord.time(now - patience))),
                deadline);
        for (Map.Entry<String, MapRecord> entry : old.entrySet()) {
            if (LeaseDecisions.isForgotten(entry.getValue().row(), now, patience)) {
                map.remove(entry.getKey(), entry.getValue(), limit(usualLease));
            }
        }
        return false;
    }

    @Override
    public boolean canSignal() {
        return news.isListening() && !cluster.isOffline();
    }

    @Override
    public Registration subscribe(Listener listener) {
        guard.lock();
        try {
            if (listeners.isEmpty()) {
                cluster.open();
                news.open();
            }
            listeners.add(listener);
        } finally {
            guard.unlock();
        }
        return () -> unsubscribe(listener);
    }

    private void unsubscribe(Listener listener) {
        guard.lock();
        try {
            if (listeners.remove(listener) && listeners.isEmpty()) {
                cluster.close();
                news.close();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Another node, or this one, has changed a key that nodes wait for. */
    private void changed(String key, MapRecord record) {
        map.learn(key, record);
        for (Listener listener : listeners) {
            if (record.row().isTurnOf(listener.node())) {
                listener.free(key);
            }
        }
    }

    private void checkOwned() {
        owned.check();
    }

    /** The instance shuts down: it could neither renew nor release what it holds. */
    private void loseOwned() {
        lost(owned.forgetAll());
    }

    private void lost(Set<LeaseId> leases) {
        listeners.forEach(listener -> listener.lost(leases, LossReason.DISCONNECTED));
    }

    /** Returns until when a call about such a lease may take: half of the lease, within limits. */
    private static long limit(Duration leaseTime) {
        return System.nanoTime()
                + Math.clamp(nanos(leaseTime) / 2, SHORTEST_CALL.toNanos(), LONGEST_CALL.toNanos());
    }

    private static long limitOfPatience() {
        return System.nanoTime() + LONGEST_PATIENCE.toNanos();
    }

    private static long nanos(Duration leaseTime) {
        return TimeUnit.MICROSECONDS.toNanos(LeaseDecisions.micros(leaseTime));
    }
}
