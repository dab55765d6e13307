// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Holds a lock until the caller's transaction has ended. Released before, the next holder would read what was there before. */
final class TransactionEnd implements TransactionSynchronization {

    private static final Log LOG = LogFactory.getLog(TransactionEnd.class);

    private final Reservation held;
    private final String domain;

    private TransactionEnd(Reservation held, String domain) {
        this.held = held;
        this.domain = domain;
    }

    /** Returns whether this thread has a transaction. */
    static boolean isAhead() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Unlocks when the transaction of this thread has ended. */
    static void unlockThen(Reservation held, String domain) {
        LOG.debug(held.getReservationKey()
                + " was acquired inside a transaction, and is held until the transaction ends");
        TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(held, domain));
    }

    /** Rolls the transaction back if the lock was lost: another holder may have worked on the same data. */
    @Override
    public void beforeCommit(boolean readOnly) {
        if (!held.isHeldByCurrentThread()) {
            throw new ReservationExpiredException(domain, held.getIdentifier());
        }
    }

    /** Logs what it cannot throw: the transaction is over, and Spring keeps exceptions from the caller. */
    @Override
    public void afterCompletion(int status) {
        try {
            held.unlock();
        } catch (ReservationException e) {
            if (status == STATUS_ROLLED_BACK) {
                LOG.debug("A transaction was rolled back, and its lock could not be released", e);
            } else {
                LOG.warn("A transaction was committed, and its lock could not be released", e);
            }
        }
    }
}
