// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that a manager was granted before: unless they were purged, they have a row. PostgreSQL updates a row at less cost
 * than it upserts one.
 */
final class KnownRows {

    /** Rather than too many, none is kept. */
    private static final int MOST = 10_000;

    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    boolean contains(String key) {
        return keys.contains(key);
    }

    void add(String key) {
        if (keys.add(key) && keys.size() > MOST) {
            keys.clear();
        }
    }
}
