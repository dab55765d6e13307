// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a {@link Reserved} method asks for. A lock that is busy until the wait ends is null. An outage and an interrupt are
 * exceptions.
 */
record LockRequest(ReservationManager manager, String identifier, Duration maxWait, Duration lease) {

    private static final Log LOG = LogFactory.getLog(LockRequest.class);

    /** Acquires the lock for the current thread. */
    @Nullable CallLock acquireForThread() {
        Reservation reservation = manager.getReservation(identifier);
        try {
            return reservation.tryLock(maxWait, lease)
                    ? new CallLock.OfThread(manager.getDomain(), reservation)
                    : null;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Acquires the lock for the call: for one lease at most, unless the manager renews its reservations. */
    @Nullable CallLock acquireForCall() {
        LockOptions options = LockOptions.defaults().waitTime(maxWait).leaseTime(lease);
        boolean renewed = manager.getMaxHold().isPresent();
        try {
            HeldLock held = manager.tryAcquire(identifier, renewed ? options : options.maxHold(lease));
            return held == null ? null : new CallLock.OfCall(manager.getDomain(), held);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private ReservationException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new ReservationException(
                "Interrupted while waiting for " + manager.getDomain() + "::" + identifier, cause);
    }

    /** Returns what the method returns without the lock. */
    @Nullable Object refuse(ReservedMethod method) {
        return switch (method.onBusy()) {
            case THROW -> throw busy();
            case SKIP -> method.returned().skipped();
        };
    }

    /** Looks who holds the lock. The store has said that the lock is busy: that stands, also if it does not answer now. */
    private ReservationBusyException busy() {
        Optional<ReservationInfo> holder = Optional.empty();
        try {
            holder = manager.findReservation(identifier);
        } catch (RuntimeException e) {
            LOG.debug("Could not find out who holds " + manager.getDomain() + "::" + identifier, e);
        }
        return new ReservationBusyException(
                manager.getDomain(),
                identifier,
                maxWait,
                holder.map(ReservationInfo::holder).orElse(null),
                holder.map(ReservationInfo::remaining).orElse(null));
    }
}
