// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.LossReason;
import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.internal.hazelcast.LeaseMap.Step;
import com.github.reservation.internal.hazelcast.OwnedLeases.Owned;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.Acquisition.Refused;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseRow;
import com.github.reservation.internal.store.PurgingStore;
import com.github.reservation.internal.store.QueueingStore;
import com.github.reservation.internal.store.Renewal;
import com.github.reservation.internal.store.SignallingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.query.Predicates;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Leases as entries of a Hazelcast map, one for each key: {@link MapRecord} is the value, {@link LeaseMap} changes it by comparing
 * and setting, {@link ClusterClock} says when a lease is over, and {@link KeyNews} wakes the next node. A key that is released
 * keeps its record for a day, with the last fence.
 *
 * <p>A process that lives ends its leases on time, see {@link OwnedLeases}. The cluster's clock ends those of dead ones.
 */
public final class HazelcastLeases implements QueueingStore, SignallingStore, PurgingStore {

    /** How long a node waits at most before it looks at its key, in case the message that it is free got lost. */
    public static final Duration LONGEST_POLL = Duration.ofMillis(250);

    /** First, because other constants need it. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(365 * 100);

    /** How long a released key is kept for the first node in line; longer than a poll. */
    private static final long GRACE = micros(LONGEST_POLL.plusMillis(100));

    /** By how much the clocks of the members may differ. */
    private static final long CLOCK_DIFFERENCE = micros(Duration.ofMillis(500));

    private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);
    private static final Duration SHORTEST_CALL = Duration.ofSeconds(1);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(2);
    /** A release, and a caller that waits, have as long as members need to replace one that died. */
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

    private static final int RENEWALS_IN_A_CALL = 100_000;

    private final HazelcastInstance instance;
    private final String mapName;
    private final Duration usualLease;
    private final DeadlineThread thread;
    private final LimitedCalls calls;
    private final ClusterWatch cluster;
    private final KeyNews news;
    private final LeaseMap map;
    private final OwnedLeases owned;
    private final Lanes lanes;
    private final Lock guard = new ReentrantLock();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean used;

    /**
     * Makes a store on the map of that name; asks the cluster nothing.
     *
     * @param usualLease the lease time of most leases, which limits calls that are not about a certain lease
     * @throws IllegalStateException if the instance is shut down, or its configuration would lose locks
     */
    public HazelcastLeases(HazelcastInstance instance, String mapName, Duration usualLease) {
        ConfigCheck.check(instance, mapName);
        this.instance = instance;
        this.mapName = mapName;
        this.usualLease = usualLease;
        this.thread = new DeadlineThread("reservation-leases-" + mapName, this::work, this::isIdle);
        this.cluster = new ClusterWatch(instance, this::checkOwned, this::loseOwned);
        this.calls = new LimitedCalls(thread::watch, cluster::isOffline);
        this.news = new KeyNews(instance, mapName, this::changed);
        this.map = new LeaseMap(instance, mapName, calls, cluster, news);
        this.lanes = new Lanes(instance);
        this.owned = new OwnedLeases(map, lanes, this::end, this::lost, thread::watch);
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        String key = request.lease().key();
        long deadline = request.waits() ? limitOfPatience() : limit(request.leaseTime());
        Answer answer =
                map.change(key, deadline, (current, now, changed) -> decide(request, current, now, changed != null));
        if (answer.granted != null) {
            owned.add(answer.granted);
            if (!used) {
                firstUse(request.lease(), deadline);
            }
        }
        return answer.acquisition;
    }

    /** The answer to a request, and what it granted. */
    private record Answer(Acquisition acquisition, @Nullable Owned granted) {}

    private static Step<Answer> decide(
            AcquireRequest request, @Nullable MapRecord current, Moment now, boolean sent) {
        if (current == null) {
            return grant(request, null, List.of(), now);
        }
        LeaseRow row = current.row();
        if (sent && current.isOf(request.lease())) {
            return Step.stay(answer(request, current, null, row.endsAt() - now.hi()));
        }
        if (row.leaseAt(now.lo() - CLOCK_DIFFERENCE) != null) {
            return refuse(request, current, row.endsAt() + CLOCK_DIFFERENCE - now.lo(), now);
        }
        if (row.isKeptFromAt(request.node(), now.hi())) {
            return refuse(request, current, row.keptUntil() - now.hi(), now);
        }
        return grant(request, current, row.waitersAfterGrantTo(request.node()), now);
    }

    /** The fence grows with the clock, so that it also grows when the record of the key was lost or forgotten. */
    private static Step<Answer> grant(
            AcquireRequest request, @Nullable MapRecord current, List<String> waiters, Moment now) {
        long fence = current == null ? now.hi() : Math.max(current.row().fence() + 1, now.hi());
        long time = micros(request.leaseTime());
        MapRecord next = MapRecord.next(
                current, new LeaseRow(request.lease(), fence, now.hi(), now.hi() + time, waiters, now.hi()));
        return new Step<>(next, false, answer(request, next, current, time));
    }

    private static Answer answer(AcquireRequest request, MapRecord granted, @Nullable MapRecord before, long micros) {
        return new Answer(
                new Granted(OptionalLong.of(granted.row().fence())),
                new Owned(request.lease(), granted, before, in(micros)));
    }

    private static Step<Answer> refuse(AcquireRequest request, MapRecord current, long remaining, Moment now) {
        LeaseRow row = current.row();
        boolean joins = request.waits() && !row.waiters().contains(request.node());
        LeaseRow marked = joins ? row.withWaiter(request.node()) : row;
        int place = marked.waiters().indexOf(request.node());
        Refused refused = new Refused(
                Duration.of(Math.max(0, remaining), ChronoUnit.MICROS),
                place >= 0,
                place >= 0 ? place : marked.waiters().size(),
                Optional.of(Duration.of(row.lease() == null ? 0 : Math.max(1, now.hi() - row.acquiredAt()),
                        ChronoUnit.MICROS)));
        Answer answer = new Answer(refused, null);
        return joins ? new Step<>(MapRecord.next(current, marked), true, answer) : Step.stay(answer);
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
        Optional<Owned> renewed = map.change(lease.key(), deadline, (current, now, changed) -> {
            if (current == null || !lease.equals(current.row().leaseAt(now.lo()))) {
                return Step.stay(Optional.empty());
            }
            long end = Math.max(current.row().endsAt(), now.hi() + micros(leaseTime));
            MapRecord next = MapRecord.next(current, current.row().withEnd(end));
            return new Step<>(next, false, Optional.of(new Owned(lease, next, current, in(end - now.hi()))));
        });
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

    /** Ends a lease of this process whose time is over. */
    private void end(LeaseId lease) throws StoreException {
        release(lease, null, limitOfPatience());
    }

    private boolean release(LeaseId lease, @Nullable String queuing, long deadline) throws StoreException {
        owned.forget(lease);
        AtomicBoolean existed = new AtomicBoolean();
        return map.change(lease.key(), deadline, (current, now, changed) -> {
            if (current == null || !current.isOf(lease)) {
                // Hazelcast repeats requests: a lease that existed when its release was sent has ended by it, or by force.
                boolean forced = changed != null && current != null && current.tellsOfForceSince(changed);
                return Step.stay(existed.get() && !forced);
            }
            existed.set(current.row().leaseAt(now.lo()) != null);
            return released(current, queuing, now, existed.get());
        });
    }

    private static <T> Step<T> released(MapRecord current, @Nullable String queuing, Moment now, T answer) {
        boolean awaited = !current.row().waiters().isEmpty();
        LeaseRow row = awaited && queuing != null ? current.row().withWaiter(queuing) : current.row();
        return new Step<>(MapRecord.next(current, row.released(now.hi() + GRACE)), awaited, answer);
    }

    @Override
    public Optional<Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay) throws StoreException {
        Optional<Owned> passed = map.change(lease.key(), limit(next.leaseTime()), (current, now, changed) -> {
            if (current != null && changed != null && current.isOf(next.lease())) {
                return Step.stay(Optional.of(
                        new Owned(next.lease(), current, null, in(current.row().endsAt() - now.hi()))));
            }
            if (current == null
                    || !lease.equals(current.row().leaseAt(now.lo()))
                    || current.row().isAwaitedByOthersThan(next.node())) {
                return Step.stay(Optional.empty());
            }
            Step<Answer> step = grant(next, current, List.of(), now);
            return new Step<>(step.next(), false, Optional.ofNullable(step.answer().granted));
        });
        passed.ifPresent(granted -> {
            owned.forget(lease);
            owned.add(granted);
        });
        return passed.map(granted -> new Granted(OptionalLong.of(granted.written().row().fence())));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        map.change(key, limit(usualLease), (current, now, changed) -> {
            if (current == null || !current.row().waiters().contains(node)) {
                return Step.stay(true);
            }
            LeaseRow row = current.row().withdrawn(node, now.hi() + GRACE);
            return new Step<>(MapRecord.next(current, row), row.lease() == null && !row.waiters().isEmpty(), true);
        });
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return map.change(key, limit(usualLease), (current, now, changed) -> {
            LeaseId lease = current == null ? null : current.row().leaseAt(now.lo() - CLOCK_DIFFERENCE);
            return current == null || lease == null
                    ? Step.stay(Optional.empty())
                    : new Step<>(
                            MapRecord.forced(current, current.row().released(now.hi() + GRACE)), true,
                            Optional.of(lease));
        });
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        long deadline = limit(usualLease);
        MapRecord record = map.get(key, deadline);
        return record == null ? Optional.empty() : stored(record, map.now(deadline));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        long deadline = limit(usualLease);
        List<StoredLease> leases = new ArrayList<>();
        Moment now = map.now(deadline);
        map.find(Predicates.like("this", MapRecord.HELD + '%'), deadline).forEach((key, record) -> {
            if (key.startsWith(keyPrefix)) {
                stored(record, now).ifPresent(leases::add);
            }
        });
        return leases;
    }

    /** A lease that is over counts as existing for as long as nobody could get the key. */
    private static Optional<StoredLease> stored(MapRecord record, Moment now) {
        LeaseRow row = record.row();
        return Optional.ofNullable(row.leaseAt(now.lo() - CLOCK_DIFFERENCE))
                .map(lease -> new StoredLease(
                        lease,
                        Instant.EPOCH.plus(row.acquiredAt(), ChronoUnit.MICROS),
                        Duration.of(Math.max(1, row.endsAt() - now.hi()), ChronoUnit.MICROS),
                        OptionalLong.of(row.fence())));
    }

    @Override
    public Object purgeScope() {
        return "map " + mapName + " of " + instance.getName();
    }

    @Override
    public boolean purge() throws StoreException {
        long deadline = limit(usualLease);
        long now = map.now(deadline).lo();
        long patience = micros(FORGOTTEN_AFTER);
        Map<String, MapRecord> old = map.find(
                Predicates.or(
                        Predicates.like("this", MapRecord.HELD + '%'),
                        Predicates.between("this", MapRecord.FREE, MapRecord.FREE + MapRecord.time(now - patience))),
                deadline);
        for (Map.Entry<String, MapRecord> entry : old.entrySet()) {
            LeaseRow row = entry.getValue().row();
            if (row.endsAt() + patience < now && row.isAbandonedAt(now, patience)) {
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
    public Subscription subscribe(Listener listener) {
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
                thread.close();
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
        owned.check(() -> limit(usualLease));
    }

    /** The instance shuts down: it could neither renew nor release what it holds. */
    private void loseOwned() {
        lost(owned.forgetAll());
        thread.wake();
    }

    private void lost(Set<LeaseId> leases) {
        listeners.forEach(listener -> listener.lost(leases, LossReason.DISCONNECTED));
    }

    private long work(long next) {
        return owned.endDue(calls.endOverdue(next));
    }

    private boolean isIdle() {
        return calls.isIdle() && owned.isEmpty();
    }

    /** Returns until when a call about such a lease may take: half of the lease, within limits. */
    private static long limit(Duration leaseTime) {
        return System.nanoTime()
                + Math.clamp(nanos(leaseTime) / 2, SHORTEST_CALL.toNanos(), LONGEST_CALL.toNanos());
    }

    private static long limitOfPatience() {
        return System.nanoTime() + LONGEST_PATIENCE.toNanos();
    }

    /** Returns the time on this process's own clock. */
    private static long in(long micros) {
        return System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    }

    private static long nanos(Duration leaseTime) {
        return TimeUnit.MICROSECONDS.toNanos(micros(leaseTime));
    }

    private static long micros(Duration leaseTime) {
        Duration capped = leaseTime.compareTo(LONGEST_LEASE) > 0 ? LONGEST_LEASE : leaseTime;
        return TimeUnit.MICROSECONDS.convert(capped);
    }
}
