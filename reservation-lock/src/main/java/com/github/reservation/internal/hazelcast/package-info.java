// SPDX-License-Identifier: Apache-2.0
/**
 * Leases as entries of a Hazelcast map. {@link com.github.reservation.internal.hazelcast.HazelcastLeaseStore} is the entry point, then
 * read {@code LeaseMap} for how a record is changed, {@code ClusterClock} for when a lease is over, and {@code OwnedLeases} for how
 * a living process ends it.
 */
@NullMarked
package com.github.reservation.internal.hazelcast;

import org.jspecify.annotations.NullMarked;
