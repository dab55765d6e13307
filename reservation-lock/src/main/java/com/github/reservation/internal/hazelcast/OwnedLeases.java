// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.hazelcast.LeaseMap.Step;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this process has acquired. It ends them on time, so that nobody waits for the cluster's clock, and looks after
 * their records when members were lost.
 */
final class OwnedLeases {

    /**
     * A lease as this process wrote it last.
     *
     * @param before the record that it replaced; null if there was none
     * @param end when the lease ends, on the monotonic clock of this process
     */
    record Owned(LeaseId lease, MapRecord written, @Nullable MapRecord before, long end) {}

    private final Map<LeaseId, Owned> leases = new ConcurrentHashMap<>();
    private final LeaseMap map;
    private final Lanes lanes;
    private final Lanes.Work ending;
    private final Consumer<Set<LeaseId>> lost;
    private final LongConsumer watch;

    /**
     * Asks {@code watch} to have {@link #endDue} run at a time.
     *
     * @param ending ends a lease
     * @param lost learns that the record of a lease is gone
     */
    OwnedLeases(LeaseMap map, Lanes lanes, Lanes.Work ending, Consumer<Set<LeaseId>> lost, LongConsumer watch) {
        this.map = map;
        this.lanes = lanes;
        this.ending = ending;
        this.lost = lost;
        this.watch = watch;
    }

    void add(Owned owned) {
        leases.put(owned.lease, owned);
        watch.accept(owned.end);
    }

    void forget(LeaseId lease) {
        leases.remove(lease);
    }

    /** Forgets all leases, and returns them. */
    Set<LeaseId> forgetAll() {
        Set<LeaseId> all = Set.copyOf(leases.keySet());
        leases.clear();
        return all;
    }

    boolean isEmpty() {
        return leases.isEmpty();
    }

    /** Ends the leases whose time is over; returns when the next one is due, or {@code next} if that is earlier. */
    long endDue(long next) {
        long now = System.nanoTime();
        long earliest = next;
        List<Owned> due = new ArrayList<>();
        for (Owned owned : leases.values()) {
            if (owned.end - now <= 0) {
                due.add(owned);
            } else if (owned.end - earliest < 0) {
                earliest = owned.end;
            }
        }
        lanes.start(
                due.stream().filter(owned -> leases.remove(owned.lease, owned)).map(Owned::lease).toList(), ending);
        return earliest;
    }

    /**
     * Looks, in the background, whether the records are there: members that died may have taken them along. A record that nobody
     * else has changed since is written again.
     */
    void check(LongSupplier deadline) {
        lanes.start(List.copyOf(leases.keySet()), lease -> {
            Owned owned = leases.get(lease);
            if (owned != null && !isThere(owned, deadline.getAsLong()) && leases.remove(lease, owned)) {
                Log.debug("The record of " + lease.key() + " is gone, and another holder may have the key", null);
                lost.accept(Set.of(lease));
            }
        });
    }

    /** Returns whether the record of the lease is there, or again. Without an answer everything stays as it is. */
    private boolean isThere(Owned owned, long deadline) {
        try {
            return map.change(owned.lease.key(), deadline, (current, now, changed) -> {
                if (current != null && current.isOf(owned.lease)) {
                    return Step.stay(true);
                }
                boolean untouched = current == null || current.isSame(owned.before);
                return untouched && leases.containsKey(owned.lease)
                        ? new Step<>(owned.written, false, true)
                        : Step.stay(false);
            });
        } catch (StoreException e) {
            Log.debug("Could not find out whether the record of " + owned.lease.key() + " is there", e);
            return true;
        }
    }
}
