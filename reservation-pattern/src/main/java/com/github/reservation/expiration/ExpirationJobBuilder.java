// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.MeasuredBuilder;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Limits;
import com.github.reservation.internal.expiration.ExpirationMeters;
import com.github.reservation.internal.expiration.SourcesJob;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Builds jobs. A builder is not thread-safe; the job that it builds is. */
public final class ExpirationJobBuilder extends MeasuredBuilder<ExpirationJobBuilder> {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(365);

    private final Map<String, SourcesJob.Scheduled> sources = new LinkedHashMap<>();
    private Consumer<? super SourceRun> progress = run -> {};
    private Duration closeTimeout = Duration.ofSeconds(20);

    ExpirationJobBuilder() {}

    /**
     * Adds a source that runs at its own {@link ExpirationSource#interval()}.
     *
     * @throws IllegalArgumentException if there is a source of that name, or if its interval is not between 1 ms and 365 days
     */
    public ExpirationJobBuilder source(ExpirationSource source) {
        return source(source, Objects.requireNonNull(source, "source must not be null").interval());
    }

    /**
     * Adds a source.
     *
     * @param interval how long the job waits after a run of the source before the next one
     * @throws IllegalArgumentException if there is a source of that name, or if the interval is not between 1 ms and 365 days
     */
    public ExpirationJobBuilder source(ExpirationSource source, Duration interval) {
        Objects.requireNonNull(source, "source must not be null");
        requireInterval(interval);
        String name = Objects.requireNonNull(source.name(), "The name of a source must not be null");
        if (sources.putIfAbsent(name, new SourcesJob.Scheduled(name, source, interval)) != null) {
            throw new IllegalArgumentException(
                    "Each source of a job needs a name of its own, but there are two of the name \"" + name + '"');
        }
        return this;
    }

    static Duration requireInterval(Duration interval) {
        return Limits.between("interval", interval, SHORTEST_INTERVAL, LONGEST_INTERVAL);
    }

    /**
     * Sets a listener that is called after each batch with the run of a source as far as it got. The job calls it on the thread of
     * the run; sources that run at the same time call it at the same time. If the listener throws, the first
     * failure is logged as a warning, further ones at level DEBUG until a call has succeeded. Default: none.
     */
    public ExpirationJobBuilder onProgress(Consumer<? super SourceRun> listener) {
        this.progress = Objects.requireNonNull(listener, "listener must not be null");
        return this;
    }

    /**
     * Sets how long {@link ExpirationJob#close()} waits at most for the batches that are under way. Default: 20 seconds, because Spring
     * and Kubernetes give a shutdown 30.
     *
     * @param timeout zero: do not wait
     * @throws IllegalArgumentException if the timeout is negative or longer than 365 days
     */
    public ExpirationJobBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = Limits.between("closeTimeout", timeout, Duration.ZERO, LONGEST_INTERVAL);
        return this;
    }

    /**
     * Builds the job without a call to a source.
     *
     * @throws IllegalStateException if there is no source
     */
    public ExpirationJob build() {
        if (sources.isEmpty()) {
            throw new IllegalStateException("source must be set before building");
        }
        return new SourcesJob(
                sources.values().stream().toList(),
                progress,
                closeTimeout,
                ExpirationMeters.of(meterRegistry()),
                Ticker.system());
    }
}
