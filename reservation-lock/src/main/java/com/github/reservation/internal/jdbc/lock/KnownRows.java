// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that a manager was granted before. They have a row, unless it was purged. On PostgreSQL an update of a row costs less
 * than an upsert.
 */
final class KnownRows {

    /** When there are more keys than this, all are forgotten. */
    private static final int LIMIT = 10_000;

    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    boolean contains(String key) {
        return keys.contains(key);
    }

    void add(String key) {
        if (keys.add(key) && keys.size() > LIMIT) {
            keys.clear();
        }
    }
}
