// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows the backlog on the meters, on a thread of its own: a scrape must not wait for a database, and events pile up just when no
 * listener is there.
 */
final class BacklogSampler {

    private static final long INTERVAL = Duration.ofSeconds(10).toNanos();
    private static final int PAUSE_PER_SAMPLE = 10;

    private final OutboxPlan plan;
    private final Thread thread = Threads.platform("reservation-outbox-backlog", this::run);
    private volatile boolean stopping;

    BacklogSampler(OutboxPlan plan) {
        this.plan = plan;
    }

    /** Begins, if anybody looks at the meters. */
    void start() {
        if (plan.meters().isOn()) {
            thread.start();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                long start = plan.ticker().nanos();
                sample();
                long end = plan.ticker().nanos();
                pauseUntil(end + Math.max(INTERVAL, PAUSE_PER_SAMPLE * (end - start)));
            }
        } finally {
            plan.meters().close();
        }
    }

    /** A failure costs the sample alone. */
    private void sample() {
        try {
            plan.meters().show(plan.store().backlog());
        } catch (StoreException | RuntimeException e) {
            Log.debug("The backlog of the outbox could not be counted", e);
        }
    }

    private void pauseUntil(long next) {
        while (!stopping && next - plan.ticker().nanos() > 0) {
            plan.ticker().parkUntil(this, next);
            Thread.interrupted(); // Else the thread could not park again.
        }
    }

    void stop() {
        stopping = true;
        LockSupport.unpark(thread);
    }

    /** Waits until nothing is shown any more, but not longer than so many nanoseconds. */
    void awaitEnd(long nanos) throws InterruptedException {
        if (thread.getState() != Thread.State.NEW) {
            thread.join(Duration.ofNanos(nanos));
        }
    }
}
