// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs several sources that do not wait for each other. */
public final class SourcesJob implements ExpirationJob {

    /** A source and the pause between two of its runs. */
    public record Scheduled(String name, ExpirationSource source, Duration interval) {}

    private final List<SourceRunner> runners;
    private final Duration closeTimeout;
    private final ExpirationMeters meters;
    private final Ticker ticker;
    private volatile boolean closed;

    public SourcesJob(
            List<Scheduled> sources,
            Consumer<? super SourceRun> progress,
            Duration closeTimeout,
            ExpirationMeters meters,
            Ticker ticker) {
        this.runners = sources.stream()
                .map(source -> new SourceRunner(source, progress, meters, ticker))
                .toList();
        this.closeTimeout = closeTimeout;
        this.meters = meters;
        this.ticker = ticker;
    }

    @Override
    public ExpirationJob start() {
        requireOpen();
        runners.forEach(SourceRunner::start);
        return this;
    }

    /** A source that runs elsewhere comes last: it may hang. */
    @Override
    public ExpirationRun runOnce() {
        requireOpen();
        if (isRunningOnThisThread()) {
            throw new IllegalStateException("A run of this job is under way on this thread");
        }
        Map<SourceRunner, SourceRun> runs = new HashMap<>();
        List<SourceRunner> busy = new ArrayList<>();
        for (SourceRunner runner : runners) {
            runner.runIfIdle().ifPresentOrElse(run -> runs.put(runner, run), () -> busy.add(runner));
        }
        for (SourceRunner runner : busy) {
            runner.run().ifPresent(run -> runs.put(runner, run));
        }
        return inOrder(runner -> Optional.ofNullable(runs.get(runner)));
    }

    private ExpirationRun inOrder(Function<SourceRunner, Optional<SourceRun>> runs) {
        return new ExpirationRun(runners.stream().flatMap(runner -> runs.apply(runner).stream()).toList());
    }

    private boolean isRunningOnThisThread() {
        return runners.stream().anyMatch(SourceRunner::isRunningOnThisThread);
    }

    @Override
    public Optional<ExpirationRun> lastRun() {
        return Optional.of(inOrder(SourceRunner::lastRun)).filter(run -> !run.sources().isEmpty());
    }

    @Override
    public Map<String, Duration> lag() {
        Map<String, Duration> lags = new LinkedHashMap<>();
        for (SourceRunner runner : runners) {
            try {
                lags.put(runner.name(), runner.lag());
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                throw new ReservationException(
                        "Source " + runner.name() + " did not say how far behind it is: " + e.getMessage(), e);
            }
        }
        return lags;
    }

    /** A source or a listener that closes its own job must not wait for its own run. */
    @Override
    public void close() {
        closed = true;
        runners.forEach(SourceRunner::stop);
        if (!isRunningOnThisThread()) {
            awaitRuns();
        }
        meters.close();
    }

    private void awaitRuns() {
        long deadline = ticker.nanos() + closeTimeout.toNanos();
        try {
            for (SourceRunner runner : runners) {
                runner.awaitEnd(deadline - ticker.nanos()).ifPresent(thread -> Log.warn(
                        "The job is closed, but a run of source " + runner.name() + " has not ended within "
                                + closeTimeout + ". It goes on in thread " + thread.getName()
                                + ", and may keep a connection and locked rows until it ends",
                        Threads.stackOf(thread)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The job is closed");
        }
    }
}
