// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.LeaseId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The holds of one manager, by thread and key, so that every {@code Reservation} of one identifier sees the same. An
 * entry is there while its thread lives and owes an unlock. Of very many lost holds the oldest are forgotten.
 */
final class HoldTable {

    private record Owner(Thread thread, String key) {}

    private static final int MOST_LOST = 100_000;

    private final int mostLost;
    private final ConcurrentHashMap<Owner, Hold> holds = new ConcurrentHashMap<>();

    HoldTable() {
        this(MOST_LOST);
    }

    HoldTable(int mostLost) {
        this.mostLost = mostLost;
    }

    @Nullable Hold find(Thread thread, String key) {
        return holds.get(new Owner(thread, key));
    }

    /** Adds the hold, in place of an older one of the same thread and key. */
    void put(Hold hold) {
        holds.put(ownerOf(hold), hold);
    }

    /** Removes the hold, unless a newer one has taken its place. */
    void remove(Hold hold) {
        holds.remove(ownerOf(hold), hold);
    }

    /** Returns the holds of the leases on whatever threads; looks at all, once. */
    List<Hold> allOf(Set<LeaseId> leases) {
        return holds.values().stream().filter(hold -> leases.contains(hold.lease)).toList();
    }

    /** Returns the holds of the key on all threads: one that counts, and those that were lost before; looks at all. */
    List<Hold> allOf(String key) {
        return holds.values().stream()
                .filter(hold -> hold.lease.key().equals(key))
                .toList();
    }

    /** Forgets the oldest of so many lost holds if they are too many, and some more, so that it need not sort them often. */
    void forgetOldest(int lost) {
        if (lost > mostLost) {
            holds.values().stream()
                    .filter(hold -> !hold.isHeld())
                    .sorted((one, other) -> Long.compare(one.overSince() - other.overSince(), 0))
                    .limit(lost - mostLost + mostLost / 10)
                    .toList()
                    .forEach(this::remove);
        }
    }

    /** Returns a view of all holds that may change while it is read. */
    Collection<Hold> all() {
        return holds.values();
    }

    int countTrusted(Reading now) {
        return (int) holds.values().stream().filter(hold -> hold.trustedFor(now) > 0).count();
    }

    private static Owner ownerOf(Hold hold) {
        return new Owner(hold.thread, hold.lease.key());
    }
}
