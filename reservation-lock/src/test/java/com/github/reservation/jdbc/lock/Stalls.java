// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Measures for how long a busy machine, or the JVM, lets a thread not run that is due. */
final class Stalls implements AutoCloseable {

    private static final long PAUSE = Duration.ofMillis(5).toNanos();

    private final Thread thread = Thread.ofPlatform().daemon().name("stalls").unstarted(this::measure);
    private volatile long longest;

    Stalls() {
        thread.start();
    }

    private void measure() {
        while (!Thread.currentThread().isInterrupted()) {
            long start = System.nanoTime();
            LockSupport.parkNanos(PAUSE);
            longest = Math.max(longest, System.nanoTime() - start - PAUSE);
        }
    }

    Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
