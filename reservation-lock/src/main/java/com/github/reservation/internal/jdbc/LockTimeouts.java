// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the lock timeouts of each key: the key was free, but another transaction kept its row locked. A few in a row count as
 * refusals. Then they are a failure, so that a waiter learns of a transaction that never ends.
 */
final class LockTimeouts {

    private static final int MOST_REFUSALS = 5;

    /** Timeouts that are further apart are not in a row: a waiter asks again sooner. */
    private static final long LONGEST_GAP = Duration.ofMinutes(1).toNanos();

    /** Waiters that give up leave their counts behind. From this many keys on, old counts are removed. */
    private static final int MANY_KEYS = 1_000;

    private record Count(int inARow, long last) {

        boolean isOld(long now) {
            return now - last > LONGEST_GAP;
        }
    }

    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    /** Counts a lock timeout; throws if there were too many in a row. */
    void add(String key, SQLException timeout) throws StoreException {
        long now = System.nanoTime();
        if (counts.size() >= MANY_KEYS) {
            counts.values().removeIf(count -> count.isOld(now));
        }
        int inARow = counts.compute(key, (same, before) -> before == null || before.isOld(now)
                ? new Count(1, now)
                : new Count(before.inARow + 1, now)).inARow;
        if (inARow > MOST_REFUSALS) {
            throw new StoreException(
                    Kind.UNAVAILABLE,
                    "Key " + key + " is free, but a transaction that was left open keeps its row locked: " + inARow
                            + " lock timeouts in a row. The last one: " + timeout.getMessage(),
                    timeout);
        }
    }

    /** Forgets the timeouts of a key: its row can be written again. */
    void clear(String key) {
        counts.remove(key);
    }
}
