// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Clockwork;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shows the backlog on the meters, and counts it on a worker: a scrape must not wait for a database, and events pile up just when no
 * listener is there.
 */
final class BacklogSampler {

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int PAUSE_PER_SAMPLE = 10;

    private final OutboxPlan plan;
    private final Clockwork.Alarm alarm;
    private final AtomicBoolean sampling = new AtomicBoolean();
    private volatile long next;
    private volatile boolean stopping;

    BacklogSampler(OutboxPlan plan) {
        this.plan = plan;
        this.alarm = new Clockwork.Alarm(plan.ticker(), INTERVAL, woken -> sampleIfDue());
    }

    /** Begins, if anybody looks at the meters. */
    void start() {
        if (plan.meters().isOn()) {
            next = plan.ticker().nanos();
            alarm.join();
        }
    }

    private long sampleIfDue() {
        long now = plan.ticker().nanos();
        if (stopping) {
            return Clockwork.OVER;
        }
        if (next - now <= 0) {
            next = now + INTERVAL.toNanos();
            Threads.execute(this::sample);
        }
        return next - now;
    }

    /** A failure costs the sample alone. One that takes long is followed by a longer pause. One that is still under way goes on alone. */
    private void sample() {
        if (!sampling.compareAndSet(false, true)) {
            return;
        }
        long start = plan.ticker().nanos();
        try {
            if (!stopping) {
                plan.meters().show(plan.store().listeners());
            }
        } catch (StoreException | RuntimeException e) {
            Log.debug("The backlog of the outbox could not be counted", e);
            plan.meters().showNothing();
        } finally {
            long end = plan.ticker().nanos();
            next = end + Math.max(INTERVAL.toNanos(), PAUSE_PER_SAMPLE * (end - start));
            sampling.set(false);
            if (stopping) {
                plan.meters().close(); // It may have shown the meters again.
            }
        }
    }

    /** Shows nothing any more, but what a sample shows for a moment that is under way. */
    void stop() {
        stopping = true;
        alarm.wake();
        plan.meters().close();
    }
}
