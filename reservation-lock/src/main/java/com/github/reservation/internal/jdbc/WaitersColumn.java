// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The column {@code waiters}: the queue of the nodes that wait for a key. It has their names, each with a comma behind it, and
 * first the node that has waited longest. All names have the same length, so no name is found inside another.
 */
final class WaitersColumn {

    /** The length of a node's name. */
    static final int NODE_LENGTH = 16;

    /** The length of an entry: a name and its comma. */
    static final int ENTRY_LENGTH = NODE_LENGTH + 1;

    /** How many characters the column holds: sixteen nodes. If it is full, a node waits without an entry. */
    static final int CAPACITY = 16 * ENTRY_LENGTH;

    private WaitersColumn() {}

    /** Returns the node's entry, as it is in the column. */
    static String entry(String node) {
        return node + ',';
    }

    static boolean contains(@Nullable String waiters, String node) {
        return waiters != null && waiters.contains(entry(node));
    }

    static boolean isFirst(@Nullable String waiters, String node) {
        return waiters != null && waiters.startsWith(entry(node));
    }

    /** Returns how many nodes are in the queue before the node: all of them if it is not in the queue. */
    static int ahead(@Nullable String waiters, String node) {
        if (waiters == null) {
            return 0;
        }
        int index = waiters.indexOf(entry(node));
        return (index < 0 ? waiters.length() : index) / ENTRY_LENGTH;
    }

    static boolean hasRoom(@Nullable String waiters) {
        return waiters == null || waiters.length() < CAPACITY;
    }
}
