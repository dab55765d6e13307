// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A lock that a thread of a worker holds, by whichever part of the API it got it. */
interface Hold {

    OptionalLong fence();

    /** Returns for how long the holder may trust its lease. */
    Duration remaining();

    /** Renews it; returns whether it is still held. */
    boolean renew(Duration lease);

    /** Releases it; returns whether it was held until then. */
    boolean release();

    /** Returns whether the library renews it by itself. */
    default boolean isRenewed() {
        return false;
    }

    static Hold of(Reservation reservation) {
        return new Hold() {
            @Override
            public OptionalLong fence() {
                return reservation.fencingToken();
            }

            /** Who has lost the lock would be told how long another one has it, or that the store is down. */
            @Override
            public Duration remaining() {
                try {
                    Duration remaining =
                            reservation.isHeldByCurrentThread() ? reservation.getRemainingLeaseTime() : Duration.ZERO;
                    return reservation.isHeldByCurrentThread() ? remaining : Duration.ZERO;
                } catch (ReservationException e) {
                    return Duration.ZERO;
                }
            }

            @Override
            public boolean renew(Duration lease) {
                return reservation.renew(lease);
            }

            @Override
            public boolean release() {
                try {
                    reservation.unlock();
                    return true;
                } catch (ReservationExpiredException e) {
                    return false;
                }
            }
        };
    }

    static Hold of(HeldLock lock) {
        return new Hold() {
            @Override
            public OptionalLong fence() {
                return lock.fencingToken();
            }

            @Override
            public Duration remaining() {
                return lock.remaining();
            }

            @Override
            public boolean renew(Duration lease) {
                return lock.renew(lease);
            }

            @Override
            public boolean release() {
                return lock.release();
            }

            @Override
            public boolean isRenewed() {
                return true;
            }
        };
    }

    /** Without a token: a lease has none. The holder counts from before the request, by the monotonic clock, less a tenth. */
    static Hold of(LockProvider provider, LockLease granted, long asked, Duration time) {
        return new Hold() {

            private LockLease lease = granted;
            private long until = asked + time.toNanos() * 9 / 10;

            @Override
            public OptionalLong fence() {
                return OptionalLong.empty();
            }

            @Override
            public Duration remaining() {
                return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
            }

            @Override
            public boolean renew(Duration duration) {
                long now = System.nanoTime();
                List<LockLease> renewed = provider.renew(List.of(lease), duration);
                if (renewed.isEmpty()) {
                    until = now;
                    return false;
                }
                if (renewed.getFirst().expiresAt() != lease.expiresAt()) { // Else the store has left it undecided.
                    until = Math.max(until, now + duration.toNanos() * 9 / 10);
                }
                lease = renewed.getFirst();
                return true;
            }

            /** The provider does not say whether the lease still existed. */
            @Override
            public boolean release() {
                provider.release(List.of(lease));
                return true;
            }
        };
    }
}
