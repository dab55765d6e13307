// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stops work of the current thread that takes too long. It cancels the statements of the work, again each second. From the second
 * time on it also interrupts the thread, for work that does not wait for the database; not before, because an interrupt inside H2
 * closes the file of its database.
 */
final class WorkLimit {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);
    private static final int ATTEMPTS_BEFORE_WARNING = 3;

    private final Thread worker = Thread.currentThread();
    private final String source;
    private final Runnable cancel;

    /** Held while the work is stopped, so that it does not end meanwhile: a late cancel would hit another statement. */
    private final Lock stopping = new ReentrantLock();

    private CompletableFuture<Void> timer;
    private boolean over;
    private int attempts;

    WorkLimit(String source, Duration limit, Runnable cancel) {
        this.source = source;
        this.cancel = cancel;
        this.timer = timer(limit);
    }

    private CompletableFuture<Void> timer(Duration duration) {
        CompletableFuture<Void> expiring =
                new CompletableFuture<Void>().orTimeout(duration.toNanos(), TimeUnit.NANOSECONDS);
        // The thread of the timer belongs to the whole JVM, and to cancel a statement can take long.
        CompletableFuture<Void> unused = expiring.exceptionallyAsync(
                timeout -> {
                    stop();
                    return null;
                },
                Threads::execute);
        return expiring;
    }

    private void stop() {
        stopping.lock();
        try {
            if (over) {
                return;
            }
            attempts++;
            cancel.run();
            if (attempts == ATTEMPTS_BEFORE_WARNING) {
                Log.warn("The work of source " + source + " goes on, although its time limit is over and it was"
                        + " interrupted. The source cannot run again until the work ends", Threads.stackOf(worker));
            }
            if (attempts > 1) {
                worker.interrupt();
            }
            timer = timer(BETWEEN_ATTEMPTS);
        } finally {
            stopping.unlock();
        }
    }

    /** Ends the limit; returns whether it was reached. Clears an interrupt that came from here. */
    boolean end() {
        stopping.lock();
        try {
            over = true;
            timer.complete(null);
            if (attempts > 1) {
                Thread.interrupted();
            }
            return attempts > 0;
        } finally {
            stopping.unlock();
        }
    }
}
