// SPDX-License-Identifier: Apache-2.0
/**
 * Leases as locked keys of a Hazelcast map. {@link com.github.reservation.internal.hazelcast.HazelcastLeases} is the entry
 * point, then read {@code LockMap} for each round trip and {@code Owner} for who has a lock.
 */
@NullMarked
package com.github.reservation.internal.hazelcast;

import org.jspecify.annotations.NullMarked;
