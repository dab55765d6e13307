// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;

/**
 * Asks for a key.
 *
 * @param node who asks, the same for all threads of one manager that waits; {@link #NO_NODE} if it never did
 * @param waits whether the node goes on waiting when it is refused; a {@link QueueingStore} then keeps its place
 * @param polls whether the node was refused before and asks only because some time has passed: a refusal is likely, and a
 *     look is enough to find out
 */
public record AcquireRequest(LeaseId lease, Duration leaseTime, String node, boolean waits, boolean polls) {

    /** The name of a node that never waits: as long as any other, so that no part of theirs is taken for it. */
    public static final String NO_NODE = "-".repeat(16);

    /** Returns the same request of a node with another name. */
    public AcquireRequest withNode(String name) {
        return new AcquireRequest(lease, leaseTime, name, waits, polls);
    }

    /** Asks once, without waiting. */
    public static AcquireRequest once(LeaseId lease, Duration leaseTime, String node) {
        return new AcquireRequest(lease, leaseTime, node, false, false);
    }
}
