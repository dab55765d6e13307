// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.SourceRun;
import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Instruments.Latest;
import com.github.reservation.internal.metrics.Instruments.Meter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is measured of a job. Tags carry the name of the source, never a row. */
public final class ExpirationMeters {

    private static final String PREFIX = "reservation.expiration.";
    private static final String SOURCE = "source";

    private static final Meter LAG = new Meter(
            PREFIX + "lag", "How long the oldest overdue row was overdue at the end of the last run", "seconds");
    private static final Meter SET_ASIDE =
            new Meter(PREFIX + "set_aside", "Rows that failed and are not expired yet");
    private static final Meter PROCESSED = new Meter(PREFIX + "processed_count", "Rows that expired");
    private static final Meter FAILED =
            new Meter(PREFIX + "failed_count", "Rows that were tried and could not expire");
    private static final Meter FAILED_RUNS =
            new Meter(PREFIX + "failed_runs", "Runs that ended before they had tried all rows");
    private static final Meter DURATION = new Meter(PREFIX + "duration_ms", "Time of a run", "milliseconds");

    /** Reports nothing. */
    public static final ExpirationMeters NONE = new ExpirationMeters(Instruments.NONE);

    /** What is shown of the last run of a source. */
    private record LastRun(Latest lag, Latest setAside) {}

    private final Instruments instruments;
    private final Map<String, LastRun> shown = new ConcurrentHashMap<>();

    private ExpirationMeters(Instruments instruments) {
        this.instruments = instruments;
    }

    /** Returns meters for the registry, or none. */
    public static ExpirationMeters of(@Nullable Object registry) {
        return registry == null ? NONE : new ExpirationMeters(Instruments.of(registry, "Expiration"));
    }

    /** Reports a run of a source; throws nothing. */
    void record(SourceRun run) {
        if (!instruments.areOn()) {
            return;
        }
        String source = run.source();
        LastRun last = shown.computeIfAbsent(source, name -> new LastRun(
                instruments.latest(LAG, SOURCE, name), instruments.latest(SET_ASIDE, SOURCE, name)));
        // Not a number if the run could not find out.
        last.lag.show(run.lag().map(lag -> lag.toMillis() / 1000.0).orElse(Double.NaN));
        last.setAside.show((double) run.setAsideCount());
        instruments.count(PROCESSED, (double) run.processedCount(), SOURCE, source);
        instruments.count(FAILED, (double) run.failedCount(), SOURCE, source);
        instruments.count(FAILED_RUNS, run.failure().isPresent() ? 1 : 0, SOURCE, source);
        instruments.record(DURATION, (double) run.duration().toMillis(), SOURCE, source);
    }

    /** Removes what shows the current state; throws nothing. */
    void close() {
        shown.values().forEach(last -> {
            last.lag.close();
            last.setAside.close();
        });
    }
}
