// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for a Hazelcast cluster, open source or not, as a member or as a client.
 *
 * <p>{@link com.github.reservation.ReservationManager#hazelcast} is the entry point, then read
 * {@link com.github.reservation.hazelcast.HazelcastReservationManagerBuilder}. The members of the cluster need nothing of this
 * library.
 */
@NullMarked
package com.github.reservation.hazelcast;

import org.jspecify.annotations.NullMarked;
