// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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

    private static final long PAUSE = Duration.ofMillis(500).toNanos();

    private final Map<LeaseId, Owned> leases = new ConcurrentHashMap<>();
    private final LeaseMap map;
    private final Lanes lanes;
    private final Consumer<Set<LeaseId>> lost;
    private final LongSupplier deadline;
    private final Clockwork.Alarm alarm = new Clockwork.Alarm(Duration.ofMillis(100), woken -> endDue());

    /**
     * Makes a list without leases.
     *
     * @param lost learns that the record of a lease is gone
     * @param deadline says until when a call that begins now may take
     */
    OwnedLeases(LeaseMap map, Lanes lanes, Consumer<Set<LeaseId>> lost, LongSupplier deadline) {
        this.map = map;
        this.lanes = lanes;
        this.lost = lost;
        this.deadline = deadline;
    }

    void add(Owned owned) {
        leases.put(owned.lease, owned);
        alarm.set(owned.end);
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

    /** Ends the leases whose time is over, on other threads. */
    private long endDue() {
        Map<LeaseId, Owned> due = new HashMap<>();
        long pause = Clockwork.runDue(leases.values(), owned -> owned.end, owned -> due.put(owned.lease, owned));
        if (!due.isEmpty()) {
            Threads.execute(() -> endAll(due)); // Before they are forgotten: there may be no thread now.
        }
        return pause;
    }

    private void endAll(Map<LeaseId, Owned> due) {
        due.values().removeIf(owned -> !leases.remove(owned.lease, owned));
        lanes.start(due.keySet(), lease -> end(Objects.requireNonNull(due.get(lease))));
    }

    private void end(Owned owned) throws StoreException {
        map.change(owned.lease.key(), deadline.getAsLong(), LeaseDecisions.end(owned));
    }

    /**
     * Looks, in the background, whether the records are there: members that died may have taken them along. A record that nobody
     * else has changed since is written again.
     */
    void check() {
        lanes.start(List.copyOf(leases.keySet()), lease -> {
            Owned owned = leases.get(lease);
            if (owned != null) {
                check(owned);
            }
        });
    }

    /** Without an answer it looks again, as long as the lease runs. */
    private void check(Owned owned) throws StoreException {
        while (owned.equals(leases.get(owned.lease))) {
            try {
                boolean isThere = map.change(
                        owned.lease.key(),
                        deadline.getAsLong(),
                        LeaseDecisions.restore(owned, () -> leases.containsKey(owned.lease)));
                if (!isThere && leases.remove(owned.lease, owned)) {
                    Log.debug("The record of " + owned.lease.key() + " is gone, and another holder may have the key",
                            null);
                    lost.accept(Set.of(owned.lease));
                }
                break;
            } catch (StoreException e) {
                Log.debug("Could not find out whether the record of " + owned.lease.key() + " is there", e);
                LockSupport.parkNanos(this, PAUSE);
            }
        }
        if (!leases.containsKey(owned.lease)) {
            end(owned); // It was released or ended meanwhile, perhaps before it was written again.
        }
    }
}
