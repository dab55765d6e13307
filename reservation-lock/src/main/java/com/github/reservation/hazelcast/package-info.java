// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for a Hazelcast cluster, open source or not, as a member or as a client.
 *
 * <p>Start with {@link com.github.reservation.ReservationManager#hazelcast}. Nothing of this library is needed on the
 * members of the cluster.
 */
@NullMarked
package com.github.reservation.hazelcast;

import org.jspecify.annotations.NullMarked;
