// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * Is told when a hold of its manager is lost; register it with {@link ReservationManager#onLost}.
 *
 * <p>It is called exactly once for each lost hold, as soon as the loss is known and at the latest when the holder may no
 * longer trust its lease, which is a little before the lease ends in the store. It is called on daemon threads of the
 * library, on up to 16 at a time, so it must be safe for many threads. It may block; while 16 of its calls do, its next
 * ones are late, and nothing else is. What it throws is logged and harms neither the hold nor the other listeners.
 */
@FunctionalInterface
public interface LossListener {

    /** Reacts to the loss, for example by stopping the work: {@code lost.thread().interrupt()}. */
    void onLost(LostReservation lost);
}
