// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.retry;

import com.github.reservation.Ticker;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures of the store, and logs that it stopped answering and that it answers again. A store that fails now and then counts as failing until it
 * has answered for some seconds without a failure, and is warned of once a minute at most, with a count.
 */
final class StoreHealth {

    private static final long RECOVERY = Duration.ofSeconds(5).toNanos();
    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final String domain;
    private final Ticker ticker;
    private final Meters meters;
    private final Lock guard = new ReentrantLock();
    private volatile boolean failing;

    /** Whether the failure in hand was warned of. */
    private boolean warned;

    private @Nullable Long lastWarning;
    private volatile long lastFailure;
    private long unreported;

    StoreHealth(String domain, Ticker ticker, Meters meters) {
        this.domain = domain;
        this.ticker = ticker;
        this.meters = meters;
    }

    void answered() {
        if (failing && ticker.nanos() - lastFailure >= RECOVERY && recovers()) {
            Log.info("The store of domain " + domain + " answers again");
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
        meters.recordStoreError(domain, e.kind().name().toLowerCase(Locale.ROOT));
        long failures = failuresToReport();
        if (failures > 0) {
            String count = failures == 1 ? "" : ", " + failures + " failures since the last warning";
            Log.warn("The store of domain " + domain + " does not answer: " + e.kind() + count, e);
        }
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
            long failures = unreported;
            unreported = 0;
            lastWarning = now;
            warned = true;
            return failures;
        } finally {
            guard.unlock();
        }
    }
}
