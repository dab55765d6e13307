// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.store;

import java.time.Duration;

/**
 * Asks for a key.
 *
 * @param node who asks, the same for all threads of one manager
 * @param waits whether the node goes on waiting when it is refused; a {@link QueueingStore} then keeps its place
 */
public record AcquireRequest(LeaseId lease, Duration leaseTime, String node, boolean waits) {}
