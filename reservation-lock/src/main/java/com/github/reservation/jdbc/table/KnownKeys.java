// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that had a row a moment ago, and that nobody else wanted: for them a plain update is likely to do, which costs a database
 * less than an upsert. Only a guess: whoever finds no row goes the long way.
 */
final class KnownKeys {

    private static final int MOST = 10_000;

    /** Whether the key was granted without a refusal before. */
    private final Map<String, Boolean> keys = new ConcurrentHashMap<>();

    boolean contains(String key) {
        return keys.getOrDefault(key, false);
    }

    /** Returns whether others wanted the key when it was asked for last. */
    boolean isContended(String key) {
        return !keys.getOrDefault(key, true);
    }

    /** Remembers a key that was granted; not the first time after a refusal, because others are likely to want it still. */
    void granted(String key) {
        if (!contains(key)) {
            keys.compute(key, (k, known) -> Boolean.FALSE.equals(known) ? null : Boolean.TRUE);
            forgetIfMany();
        }
    }

    /** Remembers that others want the key. */
    void contended(String key) {
        keys.put(key, false);
        forgetIfMany();
    }

    /** When there are too many it starts over, which is cheaper than to choose. */
    private void forgetIfMany() {
        if (keys.size() > MOST) {
            keys.clear();
        }
    }
}
