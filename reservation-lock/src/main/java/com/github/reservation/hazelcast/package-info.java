// SPDX-License-Identifier: Apache-2.0
/**
 * The backend for a Hazelcast cluster of any edition, through a member or a client.
 *
 * <p>{@link com.github.reservation.ReservationManager#hazelcast} is the entry point. Then read
 * {@link com.github.reservation.hazelcast.HazelcastReservationManagerBuilder}. The members do not need this library.
 */
@NullMarked
package com.github.reservation.hazelcast;

import org.jspecify.annotations.NullMarked;
