// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import org.jspecify.annotations.Nullable;

/**
 * The nodes that wait for a key, as the column {@code waiters} has them: their names one after another, each with a comma
 * behind it, the one that has waited longest first. All names have the same length, so none is found inside another.
 */
final class WaitersColumn {

    /** How long a name is with its comma. */
    static final int PLACE = 17;

    /** How many characters the column holds: sixteen nodes. Whoever comes when it is full waits without a place. */
    static final int ROOM = 16 * PLACE;

    private WaitersColumn() {}

    /** Returns the node's place as it is in the column. */
    static String place(String node) {
        return node + ',';
    }

    static boolean contains(@Nullable String waiters, String node) {
        return waiters != null && waiters.contains(place(node));
    }

    static boolean isFirst(@Nullable String waiters, String node) {
        return waiters != null && waiters.startsWith(place(node));
    }

    static boolean hasRoom(@Nullable String waiters) {
        return waiters == null || waiters.length() < ROOM;
    }
}
