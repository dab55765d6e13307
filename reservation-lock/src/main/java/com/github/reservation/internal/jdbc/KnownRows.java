// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that a manager was granted before, and what it knows of their rows. It can be wrong: then an acquisition costs the database
 * more, and its result is the same.
 */
final class KnownRows {

    /** When there are more keys than this, all are forgotten. */
    private static final int LIMIT = 10_000;

    /** Whether nodes waited for each key when the manager last released it alone, not in a batch. */
    private final Map<String, Boolean> keys = new ConcurrentHashMap<>();

    /** Returns whether the key has a row, unless it was purged. */
    boolean contains(String key) {
        return keys.containsKey(key);
    }

    /** Returns whether nodes waited for the key when the manager last released it: they probably still do. */
    boolean isAwaited(String key) {
        return keys.getOrDefault(key, false);
    }

    void granted(String key) {
        if (keys.putIfAbsent(key, false) == null && keys.size() > LIMIT) {
            keys.clear();
        }
    }

    void released(String key, boolean awaited) {
        keys.replace(key, awaited);
    }
}
