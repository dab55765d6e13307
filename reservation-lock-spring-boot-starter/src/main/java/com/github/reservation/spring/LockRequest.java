// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a {@link Reserved} method asks for. A lock that is busy until the wait ends is an empty result. An outage and an
 * interrupt are exceptions.
 */
record LockRequest(ReservationManager manager, String identifier, Duration maxWait, Duration lease) {

    private static final Log LOG = LogFactory.getLog(LockRequest.class);

    /** Acquires the lock for the current thread. */
    Optional<CallLock> acquireForThread() {
        Reservation reservation = manager.getReservation(identifier);
        try {
            if (reservation.tryLock(maxWait, lease)) {
                return Optional.of(new CallLock.OfThread(manager.getDomain(), reservation));
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        // Throws if the store does not answer: an outage must not look like a busy lock.
        boolean locked = reservation.isLocked();
        LOG.debug(reservation.getReservationKey() + " is busy" + (locked ? "" : ", or it is another node's turn"));
        return Optional.empty();
    }

    /** Acquires the lock for the call: for one lease at most, unless the manager renews its reservations. */
    Optional<CallLock> acquireForCall() {
        LockOptions options = LockOptions.defaults().waitTime(maxWait).leaseTime(lease);
        boolean renewed = manager.getMaxHold().isPresent();
        try {
            return Optional.ofNullable(
                    manager.lockManager().tryAcquire(identifier, renewed ? options : options.maxHold(lease)))
                    .map(held -> new CallLock.OfCall(manager.getDomain(), held));
        } catch (InterruptedException e) {
            throw interrupted(e);
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
    @Nullable Object refuse(ReservedMethod method) {
        return switch (method.onBusy()) {
            case THROW -> throw new ReservationBusyException(manager.getDomain(), identifier, maxWait);
            case SKIP -> method.returned().skipped();
        };
    }
}
