// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.internal.grant.Grant;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The holds of one manager, by thread and key, so that all {@code Reservation} objects of one identifier agree. An entry is there
 * while its thread lives and owes an unlock. Of very many lost holds the oldest are forgotten.
 */
final class HoldTable {

    /** A thread's use of a grant: how many unlocks the thread owes. Only that thread changes it. */
    static final class Hold {

        final Thread thread;
        final Grant grant;

        /** Unlocks owed for this grant. */
        int count = 1;

        /** Unlocks owed for grants of the same thread and key that were lost before this one was acquired. */
        int lostCount;

        Hold(Thread thread, Grant grant) {
            this.thread = thread;
            this.grant = grant;
        }
    }

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

    /** Forgets the lost holds of dead threads, and the oldest lost ones if there are too many; returns whether some are left. */
    boolean forgetLost() {
        int lost = 0;
        for (Hold hold : holds.values()) {
            if (!hold.grant.isHeld()) {
                if (hold.thread.isAlive()) {
                    lost++;
                } else {
                    remove(hold);
                }
            }
        }
        if (lost > mostLost) {
            forgetOldest(lost - mostLost + mostLost / 10); // Some more, so that it need not sort them often.
        }
        return lost > 0;
    }

    private void forgetOldest(int count) {
        holds.values().stream()
                .filter(hold -> !hold.grant.isHeld())
                .sorted((one, other) -> Long.compare(one.grant.overSince() - other.grant.overSince(), 0))
                .limit(count)
                .toList()
                .forEach(this::remove);
    }

    int size() {
        return holds.size();
    }

    private static Owner ownerOf(Hold hold) {
        return new Owner(hold.thread, hold.grant.key());
    }
}
