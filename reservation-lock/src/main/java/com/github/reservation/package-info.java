// SPDX-License-Identifier: Apache-2.0
/**
 * Distributed locks with a lease that always ends.
 *
 * <p>{@link com.github.reservation.ReservationManager} is the entry point: choose a backend there, build a manager for
 * one domain, and ask it for a {@link com.github.reservation.Reservation}, which is a
 * {@link java.util.concurrent.locks.Lock}. Then read {@link com.github.reservation.LossListener}: it is called when a hold is
 * lost.
 */
@NullMarked
package com.github.reservation;

import org.jspecify.annotations.NullMarked;
