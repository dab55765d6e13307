// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.expiration.jdbc.RowKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a source that failed. The next run tries a row again. From its second failure on there is a pause first, which
 * doubles each time, so that rows that always fail do not slow down every run.
 */
final class SetAside {

    /** Further rows are not remembered, and tried in each run. */
    private static final int MOST = 10_000;

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /**
     * A row.
     *
     * @param run the last run that saw it overdue
     */
    private record Entry(int attempts, long retryAt, long run) {}

    private final Ticker ticker;
    private final Map<RowKey, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong run = new AtomicLong();

    SetAside(Ticker ticker) {
        this.ticker = ticker;
    }

    void beginRun() {
        run.incrementAndGet();
    }

    /** Returns whether it is too early to try a row again. */
    boolean isPaused(RowKey key) {
        Entry entry = entries.computeIfPresent(key, (same, old) -> new Entry(old.attempts, old.retryAt, run.get()));
        return entry != null && entry.retryAt - ticker.nanos() > 0;
    }

    boolean hasFailed(RowKey key) {
        return entries.containsKey(key);
    }

    /** Adds a failure of a row; returns how many there were. */
    int failed(RowKey key) {
        int attempts = 1 + attempts(entries.get(key));
        if (attempts > 1 || entries.size() < MOST) {
            entries.put(key, new Entry(attempts, ticker.nanos() + pause(attempts), run.get()));
        }
        return attempts;
    }

    private static int attempts(@Nullable Entry entry) {
        return entry == null ? 0 : entry.attempts;
    }

    private static long pause(int attempts) {
        return attempts == 1 ? 0 : Backoff.doubled(FIRST_PAUSE, attempts - 2, LONGEST_PAUSE).toNanos();
    }

    void expired(List<RowKey> keys) {
        if (!entries.isEmpty()) {
            keys.forEach(entries::remove);
        }
    }

    /** Forgets the rows that a complete run has not seen: they are not overdue any more. */
    void endRun() {
        entries.values().removeIf(entry -> entry.run != run.get());
    }

    int size() {
        return entries.size();
    }
}
