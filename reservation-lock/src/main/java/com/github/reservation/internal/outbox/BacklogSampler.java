// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Shows the backlog on the meters from time to time, whichever listener's thread comes by. A scrape must not wait for a database. */
final class BacklogSampler {

    private static final long INTERVAL = Duration.ofSeconds(10).toNanos();
    private static final int PAUSE_PER_SAMPLE = 10;

    private final OutboxPlan plan;
    private final AtomicLong next;

    BacklogSampler(OutboxPlan plan) {
        this.plan = plan;
        this.next = new AtomicLong(plan.ticker().nanos());
    }

    /** Samples, if it is time. A failure costs the sample alone, and a slow sample is taken less often. */
    void sample() {
        long start = plan.ticker().nanos();
        long due = next.get();
        if (plan.meters().isOn() && start - due >= 0 && next.compareAndSet(due, start + INTERVAL)) {
            try {
                plan.meters().show(plan.store().backlog());
            } catch (StoreException e) {
                Log.debug("The backlog of the outbox could not be counted", e);
            }
            long end = plan.ticker().nanos();
            next.set(end + Math.max(INTERVAL, PAUSE_PER_SAMPLE * (end - start)));
        }
    }
}
