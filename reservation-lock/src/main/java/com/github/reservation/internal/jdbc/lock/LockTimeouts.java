// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts how often in a row a key was free but could not be taken, because somebody's transaction keeps its row locked. A
 * few times that passes for a refusal; then it is a failure, else a waiter would never hear of a transaction that never ends.
 */
final class LockTimeouts {

    private static final int MOST_REFUSALS = 5;

    /** Timeouts that are further apart are not in a row: whoever waits asks again soon. */
    private static final long LONGEST_GAP = Duration.ofMinutes(1).toNanos();

    /** Waiters that give up leave their counts behind; from this many keys on, old ones are looked for. */
    private static final int MANY_KEYS = 1_000;

    private record Refusals(int count, long last) {

        boolean isOld(long now) {
            return now - last > LONGEST_GAP;
        }
    }

    private final Map<String, Refusals> refusals = new ConcurrentHashMap<>();

    /** Counts a lock timeout; throws if there were too many. */
    void refused(String key, SQLException timeout) throws StoreException {
        long now = System.nanoTime();
        if (refusals.size() >= MANY_KEYS) {
            refusals.values().removeIf(old -> old.isOld(now));
        }
        int inARow = refusals.compute(key, (same, before) -> before == null || before.isOld(now)
                ? new Refusals(1, now)
                : new Refusals(before.count + 1, now)).count;
        if (inARow > MOST_REFUSALS) {
            throw new StoreException(
                    Kind.UNAVAILABLE,
                    "Key " + key + " is free, but a transaction that somebody has left open keeps its row locked: "
                            + inARow + " lock timeouts in a row. The last one: " + timeout.getMessage(),
                    timeout);
        }
    }

    /** Forgets the count: the row can be written again. */
    void answered(String key) {
        refusals.remove(key);
    }
}
