// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that had a row a moment ago: for them a plain update is likely to do, which costs a database less than an upsert. Only
 * a guess: whoever finds no row goes the long way.
 */
final class KnownKeys {

    private static final int MOST = 10_000;

    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    boolean contains(String key) {
        return keys.contains(key);
    }

    void remove(String key) {
        keys.remove(key);
    }

    /** Remembers the key; when there are too many it starts over, which is cheaper than to choose. */
    void add(String key) {
        if (keys.add(key) && keys.size() > MOST) {
            keys.clear();
        }
    }
}
