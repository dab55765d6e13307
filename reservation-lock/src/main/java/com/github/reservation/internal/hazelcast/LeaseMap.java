// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The map of the records, which are changed by comparing and setting alone: {@code putIfAbsent}, {@code replace} of one value by
 * another, {@code remove} of a value.
 *
 * <p>Each change follows the same steps:
 *
 * <ol>
 *   <li>Decide what to write, on the record that this process saw last. If that is still the record, one round trip is enough.
 *   <li>If it is not, or nothing is to be written, read the record and decide again.
 *   <li>A write that was answered with "no" may have happened before, because Hazelcast repeats requests by itself: if the new
 *       record is there, it has.
 *   <li>A write that was answered while a member died, or very late, may be on no backup: read the record, and write again what
 *       is not there.
 * </ol>
 */
final class LeaseMap {

    /** Decides what becomes of a record. */
    @FunctionalInterface
    interface Decision<T> {

        /**
         * Decides.
         *
         * @param current the record of the key; null if it has none
         * @param tried what this change has tried to write before, which may have happened all the same; the last one comes last
         */
        Step<T> on(@Nullable MapRecord current, Moment now, List<Tried> tried);
    }

    /**
     * A write without a good answer.
     *
     * @param on the record that it was to replace; null if there was none
     */
    record Tried(@Nullable MapRecord on, MapRecord next) {}

    /**
     * What was decided.
     *
     * @param next the new record; null if the record stays as it is
     * @param tell whether waiting nodes should learn of it
     * @param answer what the caller is told then
     */
    record Step<T>(@Nullable MapRecord next, boolean tell, T answer) {

        /** Returns whether a holder will rely on the new record: a lease that is granted or renewed, of which nobody is told. */
        boolean isReliedOn() {
            return next != null && next.row().lease() != null && !tell;
        }

        static <T> Step<T> stay(T answer) {
            return new Step<>(null, false, answer);
        }
    }

    private static final int MOST_TRIES = 16;
    private static final int MOST_REMEMBERED = 4096;

    /** After this, Hazelcast may be waiting for a backup that does not answer. */
    private static final long LATE_ANSWER = Duration.ofSeconds(1).toNanos();

    private static final long SHORTEST_WRITE = Duration.ofMillis(250).toNanos();

    private final HazelcastInstance instance;
    private final String name;
    private final LimitedCalls calls;
    private final ClusterWatch cluster;
    private final KeyNews news;
    private final Majority majority;

    /** The last known records of keys, which spare a round trip if they are still true. */
    private final Map<String, MapRecord> remembered = new ConcurrentHashMap<>();

    /** Fetched at the first use: a client may have no connection before. */
    private volatile @Nullable IMap<String, String> map;

    LeaseMap(HazelcastInstance instance, String name, LimitedCalls calls, ClusterWatch cluster, KeyNews news) {
        this.instance = instance;
        this.name = name;
        this.calls = calls;
        this.cluster = cluster;
        this.news = news;
        this.majority = new Majority(instance, (key, deadline) -> ask(deadline, records -> records.get(key)));
    }

    /** Changes the record of the key as decided, until the deadline at most. */
    <T> T change(String key, long deadline, Decision<T> decision) throws StoreException {
        History history = new History();
        try {
            return change(key, deadline, decision, history);
        } catch (StoreException e) {
            throw history.inDoubt && e.kind() != Kind.OUTCOME_UNKNOWN
                    ? new StoreException(Kind.OUTCOME_UNKNOWN, "A write got no answer, and then: " + e.getMessage(), e)
                    : e;
        }
    }

    /** What one change has tried. */
    private static final class History {

        private final List<Tried> tried = new ArrayList<>(1);

        /** Whether a write got no answer: it may have happened, or happen later. */
        private boolean inDoubt;
    }

    private <T> T change(String key, long deadline, Decision<T> decision, History history) throws StoreException {
        MapRecord current = remembered.get(key);
        boolean fresh = false;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Step<T> step = decision.on(current, now(deadline), history.tried);
            MapRecord next = step.next();
            if (next == null) {
                if (fresh) {
                    return step.answer();
                }
                current = get(key, deadline);
                fresh = true;
                continue;
            }
            int membersGone = cluster.membersGone();
            long asked = System.nanoTime();
            history.tried.add(new Tried(current, next));
            MapRecord found = writeOrRead(key, current, step, next, deadline, history);
            boolean doubtful = cluster.membersGone() != membersGone || System.nanoTime() - asked > LATE_ANSWER;
            if (next.isSame(found) && doubtful) {
                found = get(key, deadline);
            }
            if (next.isSame(found)) {
                if (step.tell()) {
                    news.tell(key, next);
                }
                return step.answer();
            }
            current = found;
            fresh = true;
        }
        throw new StoreException(Kind.CONTENTION, "Others kept changing the key " + key);
    }

    /** Returns the time of the cluster. */
    Moment now(long deadline) throws StoreException {
        news.start(calls, deadline);
        return news.clock().now(deadline);
    }

    /**
     * Writes the record, and returns the one that is there then. While a backup is dead or silent, Hazelcast answers a write after
     * five seconds only: so a write without an answer is soon followed by a look, which needs no backup.
     *
     * <p>Nobody may rely on such a write if the cluster may be split: the other side has another record. A process on the smaller side
     * does not hear most of the members.
     */
    private @Nullable MapRecord writeOrRead(
            String key, @Nullable MapRecord current, Step<?> step, MapRecord next, long deadline, History history)
            throws StoreException {
        long now = System.nanoTime();
        long patience = Math.clamp((deadline - now) / 4, SHORTEST_WRITE, LATE_ANSWER);
        try {
            return write(key, current, next, now + Math.min(patience, deadline - now));
        } catch (StoreException e) {
            if (e.kind() != Kind.OUTCOME_UNKNOWN || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            history.inDoubt = true;
            MapRecord found = get(key, deadline);
            if (step.isReliedOn() && next.isSame(found) && !majority.isHeard(deadline)) {
                throw e;
            }
            return found;
        }
    }

    /** Writes the next record if the current one is there; returns the record that is there then. */
    private @Nullable MapRecord write(String key, @Nullable MapRecord current, MapRecord next, long deadline)
            throws StoreException {
        if (current == null) {
            String present = ask(deadline, records -> records.putIfAbsent(key, next.text()));
            return remember(key, present == null ? next : parse(key, present));
        }
        boolean replaced = ask(deadline, records -> records.replace(key, current.text(), next.text()));
        return replaced ? remember(key, next) : get(key, deadline);
    }

    @Nullable MapRecord get(String key, long deadline) throws StoreException {
        String text = ask(deadline, records -> records.get(key));
        return remember(key, text == null ? null : parse(key, text));
    }

    /** Returns the records that match, by their keys. */
    Map<String, MapRecord> find(Predicate<String, String> predicate, long deadline) throws StoreException {
        Collection<Map.Entry<String, String>> entries = ask(deadline, records -> records.entrySet(predicate));
        Map<String, MapRecord> found = new HashMap<>();
        for (Map.Entry<String, String> entry : entries) {
            MapRecord.parse(entry.getKey(), entry.getValue()).ifPresent(record -> found.put(entry.getKey(), record));
        }
        return found;
    }

    boolean remove(String key, MapRecord record, long deadline) throws StoreException {
        remembered.remove(key);
        return ask(deadline, records -> records.remove(key, record.text()));
    }

    /** Refuses a map whose settings lose records or show old ones; the key must have a record. */
    void requireUsable(String key, long deadline) throws StoreException {
        String problem = ask(deadline, records -> ConfigCheck.problemOf(records, key));
        if (problem != null) {
            throw new StoreException(Kind.MISCONFIGURED, "Map " + name + " cannot keep locks: " + problem);
        }
    }

    /** Learns of a record that another node has written. */
    void learn(String key, MapRecord record) {
        remembered.computeIfPresent(key, (same, known) -> record.isAfter(known) ? record : known);
    }

    private @Nullable MapRecord remember(String key, @Nullable MapRecord record) {
        if (record == null) {
            remembered.remove(key);
        } else {
            if (remembered.size() >= MOST_REMEMBERED) {
                remembered.clear();
            }
            remembered.put(key, record);
        }
        return record;
    }

    private MapRecord parse(String key, String text) throws StoreException {
        return MapRecord.parse(key, text)
                .orElseThrow(() -> new StoreException(
                        Kind.MISCONFIGURED,
                        "Something else, or another version of this library, has written to the map " + name
                                + ", under the key " + key));
    }

    /** A call that may return null. */
    @FunctionalInterface
    private interface MapCall<T extends @Nullable Object> {
        T on(IMap<String, String> map);
    }

    private <T extends @Nullable Object> T ask(long deadline, MapCall<T> call) throws StoreException {
        return calls.run(deadline, () -> call.on(map()));
    }

    private IMap<String, String> map() throws StoreException {
        IMap<String, String> known = map;
        if (known == null) {
            known = fetchMap();
            map = known;
        }
        return known;
    }

    /** Fetches the map. Threads that fetch it at the same time share one request, and its failure if one is interrupted. */
    private IMap<String, String> fetchMap() throws StoreException {
        try {
            return instance.getMap(name);
        } catch (HazelcastException e) {
            if (e.getCause() instanceof InterruptedException && !Thread.currentThread().isInterrupted()) {
                throw new StoreException(Kind.CONTENTION, "Another thread was interrupted while it fetched the map", e);
            }
            throw e;
        }
    }
}
