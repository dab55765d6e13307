// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * A callback for lost holds. Register it with {@link ReservationManager#onLost}.
 *
 * <p>The library calls a listener exactly once for each lost hold, as soon as the loss is known. That is at the latest when the
 * holder may no longer trust its lease, a little before the lease ends in the store. Calls come on daemon threads of the
 * library, up to 16 at a time, so a listener must be thread-safe. A listener may block. While 16 of its calls are blocked, its
 * further calls wait; nothing else does. An exception of a listener is logged, and affects neither the hold nor other listeners.
 */
@FunctionalInterface
public interface LossListener {

    /** Reacts to the loss, for example by interrupting the work: {@code lost.thread().interrupt()}. */
    void onLost(LostReservation lost);
}
