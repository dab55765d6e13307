// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.store;

import java.time.Duration;

/**
 * Asks for a key.
 *
 * @param node who asks, the same for all threads of one manager
 * @param waits whether the node goes on waiting when it is refused; a {@link QueueingStore} then keeps its place
 * @param polls whether the node has its place already and asks only because some time has passed: a refusal is likely, and a
 *     look is enough to find out
 */
public record AcquireRequest(LeaseId lease, Duration leaseTime, String node, boolean waits, boolean polls) {

    /** Asks once, without waiting. */
    public static AcquireRequest once(LeaseId lease, Duration leaseTime, String node) {
        return new AcquireRequest(lease, leaseTime, node, false, false);
    }
}
