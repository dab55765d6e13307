// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.lease.HeldLock;
import java.util.OptionalLong;

/** The lock of one call of a {@link Reserved} method. */
sealed interface CallLock {

    /** Returns the key of the lock, for the log. */
    String key();

    boolean isHeld();

    OptionalLong fencingToken();

    /**
     * Releases the lock.
     *
     * @throws ReservationExpiredException if it was lost before
     */
    void release();

    /** Throws if the lock was lost. */
    default void requireHeld() {
        if (!isHeld()) {
            throw expired();
        }
    }

    ReservationExpiredException expired();

    /** A lock of the thread that calls the method: the thread can acquire it again, and only the thread can release it. */
    record OfThread(String domain, Reservation reservation) implements CallLock {

        @Override
        public String key() {
            return reservation.getReservationKey();
        }

        @Override
        public boolean isHeld() {
            return reservation.isHeldByCurrentThread();
        }

        @Override
        public OptionalLong fencingToken() {
            return reservation.fencingToken();
        }

        @Override
        public void release() {
            reservation.unlock();
        }

        @Override
        public ReservationExpiredException expired() {
            return new ReservationExpiredException(domain, reservation.getIdentifier());
        }
    }

    /** A lock of the call: any thread can release it, and no thread can acquire it again. */
    record OfCall(String domain, HeldLock handle) implements CallLock {

        @Override
        public String key() {
            return domain + "::" + handle.name();
        }

        @Override
        public boolean isHeld() {
            return handle.isHeld();
        }

        @Override
        public OptionalLong fencingToken() {
            return handle.fencingToken();
        }

        @Override
        public void release() {
            handle.close();
        }

        @Override
        public ReservationExpiredException expired() {
            return new ReservationExpiredException(domain, handle.name());
        }
    }
}
