// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.concurrent.CompletionStage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Holds a lock until the caller's transaction has ended. Released before, the next holder would read what was there before. */
final class TransactionEnd implements TransactionSynchronization {

    private static final Log LOG = LogFactory.getLog(TransactionEnd.class);

    private final CallLock lock;
    private final CompletionStage<?> workEnd;

    private TransactionEnd(CallLock lock, CompletionStage<?> workEnd) {
        this.lock = lock;
        this.workEnd = workEnd;
    }

    /** Returns whether this thread has a transaction. */
    static boolean isAhead() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Releases the lock when the transaction of this thread has ended, and the work too. */
    static void releaseThen(CallLock lock, CompletionStage<?> workEnd) {
        LOG.debug(lock.key() + " was acquired inside a transaction, and is held until the transaction ends");
        TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(lock, workEnd));
    }

    /** Rolls the transaction back if the lock was lost: another holder may have worked on the same data. */
    @Override
    public void beforeCommit(boolean readOnly) {
        lock.requireHeld();
    }

    @Override
    public void afterCompletion(int status) {
        workEnd.whenComplete((done, failure) -> release(status));
    }

    /** Logs what it cannot throw: the transaction is over, and Spring keeps exceptions from the caller. */
    private void release(int status) {
        try {
            lock.release();
        } catch (RuntimeException e) {
            if (status == STATUS_ROLLED_BACK) {
                LOG.debug("A transaction was rolled back, and its lock could not be released", e);
            } else {
                LOG.warn("A transaction was committed, and its lock could not be released", e);
            }
        }
    }
}
