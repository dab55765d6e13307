// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.ExpirationTally;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A source that does what a test tells it. */
final class TestSource implements ExpirationSource {

    /** What a source does. */
    @FunctionalInterface
    interface Work {
        void run(ExpirationTally tally) throws Exception;
    }

    volatile Work work = tally -> {};
    volatile boolean broken;
    private final String name;
    private final AtomicInteger runs = new AtomicInteger();

    TestSource(String name) {
        this.name = name;
    }

    /** Returns whether the thread of a source sleeps until its next run. */
    static boolean isAsleep(SourcesJob.Scheduled scheduled) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> LockSupport.getBlocker(thread) == scheduled);
    }

    /** Returns how many runs have ended. */
    int runs() {
        return runs.get();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void expire(ExpirationTally tally) throws Exception {
        try {
            work.run(tally);
        } finally {
            runs.incrementAndGet();
        }
    }

    @Override
    public Duration lag() {
        if (broken) {
            throw new IllegalStateException("The store is down");
        }
        return Duration.ofMinutes(1);
    }
}
