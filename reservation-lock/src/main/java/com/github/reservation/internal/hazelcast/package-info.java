// SPDX-License-Identifier: Apache-2.0
/**
 * Leases as locked keys of a Hazelcast map. {@link com.github.reservation.internal.hazelcast.HazelcastLeases} is the entry
 * point, then read {@code LockMap} for each round trip, {@code LockOwner} for who has a lock, and {@code OwnedLocks} for
 * how a lease ends.
 */
@NullMarked
package com.github.reservation.internal.hazelcast;

import org.jspecify.annotations.NullMarked;
