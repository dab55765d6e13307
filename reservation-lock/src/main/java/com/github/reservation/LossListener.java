// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/**
 * A callback for lost holds. Register it with {@link ReservationManager#onLost}.
 *
 * <p>The library calls a listener exactly once for each lost hold, as soon as the loss is known. That is at the latest when the
 * holder may no longer trust its lease, a little before the lease ends in the store. Calls come on daemon threads of the
 * library, up to 16 at a time, so a listener must be thread-safe. A listener may block. While 16 of its calls are blocked, its
 * further calls wait; nothing else does.
 *
 * <p>An exception of a listener affects neither the hold nor other listeners. The first one is logged as a warning, with the class of the
 * listener. Further ones are logged at level DEBUG until a call of the listener has succeeded.
 *
 * <p>The listeners of single locks, see {@link com.github.reservation.lease.HeldLock#onLost}, share 16 threads for each manager: there may
 * be as many of them as locks. While 16 of their calls are blocked, the calls of the other such listeners wait. If one of them may block
 * for long, register it with the manager instead, or let it hand its work to an executor.
 *
 * <p>If the system has no thread left, the library tries again each second.
 */
@FunctionalInterface
public interface LossListener {

    /** Reacts to the loss, for example by interrupting the work: {@code lost.thread().interrupt()}. */
    void onLost(LostReservation lost);
}
