// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The reservation that the current thread holds because it runs a {@link Reserved} method; of nested ones the innermost. Threads that
 * the method starts have none: take a {@link com.github.reservation.lease.HeldLock} as a parameter there.
 *
 * {@snippet file="com/github/reservation/spring/demo/Shipping.java" region="fencing"}
 */
public final class CurrentReservation {

    private static final ThreadLocal<@Nullable CallLock> CURRENT = new ThreadLocal<>();

    private CurrentReservation() {}

    /**
     * Returns the reservation, to check or renew its lease. Do not unlock it.
     *
     * @throws IllegalStateException if this thread runs no {@link Reserved} method, or one that returns a future or takes a
     *     {@link com.github.reservation.lease.HeldLock}: the lock of such a method belongs to no thread
     */
    public static Reservation get() {
        if (lock() instanceof CallLock.OfThread held) {
            return held.reservation();
        }
        throw new IllegalStateException("The lock of this @Reserved method belongs to no thread, because the method"
                + " returns a future or takes a HeldLock. Use a parameter of type HeldLock");
    }

    /** Returns the reservation, if this thread runs a {@link Reserved} method and holds its lock. */
    public static Optional<Reservation> find() {
        return CURRENT.get() instanceof CallLock.OfThread held ? Optional.of(held.reservation()) : Optional.empty();
    }

    /**
     * Returns the fencing token of the lock; empty if its lease was lost, or if the backend has no tokens.
     *
     * @throws IllegalStateException if this thread runs no {@link Reserved} method
     */
    public static OptionalLong fencingToken() {
        return lock().fencingToken();
    }

    private static CallLock lock() {
        CallLock lock = CURRENT.get();
        if (lock == null) {
            throw new IllegalStateException("This thread runs no @Reserved method. Was the method called on its own"
                    + " object, without the proxy?");
        }
        return lock;
    }

    /** Makes the lock the current one, and returns the one before. */
    static @Nullable CallLock replace(@Nullable CallLock lock) {
        CallLock before = CURRENT.get();
        if (lock == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(lock);
        }
        return before;
    }
}
