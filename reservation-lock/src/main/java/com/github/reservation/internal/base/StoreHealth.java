// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the failures of the store, and logs that it stopped working and that it works again. A store that fails now and then
 * counts as failing until it has answered for some seconds without a failure, and is warned of once a minute at most, with a count.
 */
final class StoreHealth {

    private static final long RECOVERY = Duration.ofSeconds(5).toNanos();
    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final String subject;
    private final Ticker ticker;
    private final Consumer<StoreException> failures;
    private final Lock guard = new ReentrantLock();
    private volatile boolean failing;

    /** Whether the failure in hand was warned of. */
    private boolean warned;

    private @Nullable Long lastWarning;
    private volatile long lastFailure;
    private long unreported;

    StoreHealth(String subject, Ticker ticker, Consumer<StoreException> failures) {
        this.subject = subject;
        this.ticker = ticker;
        this.failures = failures;
    }

    void answered() {
        if (failing && ticker.nanos() - lastFailure >= RECOVERY && recovers()) {
            Log.info("The store of " + subject + " works again");
        }
    }

    /** Returns whether the store has just recovered from a failure that was warned of. */
    private boolean recovers() {
        guard.lock();
        try {
            if (!failing || ticker.nanos() - lastFailure < RECOVERY) {
                return false;
            }
            failing = false;
            return warned;
        } finally {
            guard.unlock();
        }
    }

    void failed(StoreException e) {
        failures.accept(e);
        long count = failuresToReport();
        if (count > 0) {
            String since = count == 1 ? "" : ", " + count + " failures since the last warning";
            Log.warn("The store of " + subject + problem(e.kind()) + since, e);
        }
    }

    private static String problem(StoreException.Kind kind) {
        return kind == StoreException.Kind.MISCONFIGURED ? " is misconfigured" : " does not answer: " + kind;
    }

    /** Counts a failure; returns how many there were if it is time to warn, else 0. */
    private long failuresToReport() {
        guard.lock();
        try {
            long now = ticker.nanos();
            lastFailure = now;
            unreported++;
            if (!failing) {
                failing = true;
                warned = false;
            }
            if (lastWarning != null && now - lastWarning < SILENCE) {
                return 0;
            }
            long count = unreported;
            unreported = 0;
            lastWarning = now;
            warned = true;
            return count;
        } finally {
            guard.unlock();
        }
    }
}
