// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.util.Objects;

/**
 * Asks for a key.
 *
 * @param lease the lease to grant. The same request can arrive twice, if the reply to the first was lost
 * @param leaseTime how long the lease is to run: 1 ms to {@link Long#MAX_VALUE} ms. A store that cannot count so far uses its longest time
 * @param node the name of the manager among those that wait for keys: 16 ASCII characters, the same for all of its threads.
 *     {@link #NO_NODE} if the manager has never waited
 * @param waits whether the node keeps waiting if it is refused. A {@link QueueingStore} then adds it to the queue; other stores may
 *     ignore it
 * @param polls whether the node was refused before and asks again only because some time has passed. A refusal is likely then, so a
 *     store may read before it writes. Other stores may ignore it
 */
public record AcquireRequest(LeaseId lease, Duration leaseTime, String node, boolean waits, boolean polls) {

    /** The name of a node that has never waited. It is as long as the name of any other node, and no other node has it. */
    public static final String NO_NODE = "-".repeat(16);

    public AcquireRequest {
        Objects.requireNonNull(lease, "lease must not be null");
        Objects.requireNonNull(leaseTime, "leaseTime must not be null");
        Objects.requireNonNull(node, "node must not be null");
    }

    /** Returns the same request under another name of the node. */
    public AcquireRequest withNode(String name) {
        return new AcquireRequest(lease, leaseTime, name, waits, polls);
    }

    /** Returns a request of a node that asks once and does not wait. */
    public static AcquireRequest once(LeaseId lease, Duration leaseTime, String node) {
        return new AcquireRequest(lease, leaseTime, node, false, false);
    }
}
