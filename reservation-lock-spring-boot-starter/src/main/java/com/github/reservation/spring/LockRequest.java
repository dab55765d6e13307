// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
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
 * What one call of a {@link Reserved} method asks for. A lock that is busy until the wait ends is a result. An outage and an
 * interrupt are exceptions.
 */
record LockRequest(ReservationManager manager, String identifier, Duration maxWait, Duration lease) {

    private static final Log LOG = LogFactory.getLog(LockRequest.class);

    /** Acquires the lock for the current thread. */
    Acquisition acquireForThread() {
        Reservation reservation = manager.getReservation(identifier);
        try {
            if (reservation.tryLock(maxWait, lease)) {
                return new CallLock.OfThread(manager.getDomain(), reservation);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        // Throws if the store does not answer: an outage must not look like a busy lock.
        Optional<ReservationInfo> holder = manager.findReservation(identifier);
        return new Acquisition.Busy(() -> holder);
    }

    /** Acquires the lock for the call: for one lease at most, unless the manager renews its reservations. */
    Acquisition acquireForCall() {
        LockOptions options = LockOptions.defaults().waitTime(maxWait).leaseTime(lease);
        boolean renewed = manager.getMaxHold().isPresent();
        try {
            HeldLock held = manager.lockManager().tryAcquire(identifier, renewed ? options : options.maxHold(lease));
            return held == null
                    ? new Acquisition.Busy(this::lookForHolder)
                    : new CallLock.OfCall(manager.getDomain(), held);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Asks once more, for the exception alone. The store has said that the lock is busy: that stands, also if it does not answer now. */
    private Optional<ReservationInfo> lookForHolder() {
        try {
            return manager.findReservation(identifier);
        } catch (RuntimeException e) {
            LOG.debug("Could not find out who holds " + manager.getDomain() + "::" + identifier, e);
            return Optional.empty();
        }
    }

    private ReservationAcquisitionException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new ReservationAcquisitionException(
                manager.getDomain(),
                identifier,
                "Interrupted while waiting for " + manager.getDomain() + "::" + identifier,
                cause);
    }

    /** Returns what the method returns without the lock. */
    @Nullable Object refuse(ReservedMethod method, Acquisition.Busy busy) {
        return switch (method.onBusy()) {
            case THROW -> throw new ReservationBusyException(
                    manager.getDomain(), identifier, maxWait, busy.holder().get().orElse(null));
            case SKIP -> method.returned().skipped();
        };
    }
}
