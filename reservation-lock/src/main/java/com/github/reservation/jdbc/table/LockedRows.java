// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts how often in a row a key was free but could not be taken, because somebody's transaction keeps its row locked. A
 * few times that passes for a refusal; then it is a failure, else a waiter would never hear of a transaction that never ends.
 */
final class LockedRows {

    private static final int MOST_REFUSALS = 5;

    /** Waiters that give up leave their counts behind; rather than too many of them, none is kept. */
    private static final int MOST_KEYS = 1_000;

    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    /** Counts a lock timeout; throws if there were too many. */
    void refused(String key, SQLException timeout) throws StoreException {
        if (refusals.size() >= MOST_KEYS) {
            refusals.clear();
        }
        int inARow = refusals.merge(key, 1, Integer::sum);
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
