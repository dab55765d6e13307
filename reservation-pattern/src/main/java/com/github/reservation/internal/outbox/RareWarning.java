// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.base.Log;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A warning about something that can happen thousands of times: it is logged once in a while, with how often that was. */
final class RareWarning {

    private static final Duration EVERY = Duration.ofMinutes(10);

    private final AtomicInteger unreported = new AtomicInteger();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final AtomicLong last = new AtomicLong();

    /** Logs a warning with the stack trace, or at level DEBUG if there was one a short while ago. */
    void log(String problem, @Nullable Throwable cause, long now) {
        unreported.incrementAndGet();
        long before = last.get();
        boolean first = warned.compareAndSet(false, true);
        if ((first || now - before >= EVERY.toNanos()) && last.compareAndSet(before, now)) {
            int times = unreported.getAndSet(0);
            Log.warn(problem + (first ? "" : ". That was " + times + " times since the last warning")
                    + ". For " + EVERY.toMinutes() + " minutes, more of this is logged at level DEBUG", cause);
        } else {
            Log.debug(problem, cause);
        }
    }
}
