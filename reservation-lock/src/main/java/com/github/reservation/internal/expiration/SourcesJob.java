// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.internal.metrics.ExpirationMeters;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs sources one after another: on its own thread by schedule, and on any other thread by request. */
public final class SourcesJob implements ExpirationJob {

    /** A source and the pause between two of its runs. */
    public record Scheduled(String name, ExpirationSource source, Duration interval) {}

    private final List<Scheduled> sources;
    private final Consumer<? super SourceRun> progress;
    private final ExpirationMeters meters;
    private final Ticker ticker;

    /** Held during a run. */
    private final ReentrantLock running = new ReentrantLock();

    private final Map<String, SourceRun> lastRuns = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean closed;

    public SourcesJob(
            List<Scheduled> sources, Consumer<? super SourceRun> progress, ExpirationMeters meters, Ticker ticker) {
        this.sources = List.copyOf(sources);
        this.progress = progress;
        this.meters = meters;
        this.ticker = ticker;
    }

    @Override
    public ExpirationJob start() {
        requireOpen();
        Threads.startOnce(thread, "reservation-expiration", this::schedule);
        return this;
    }

    private void schedule() {
        Map<Scheduled, Long> due = new HashMap<>();
        sources.forEach(source -> due.put(source, ticker.nanos()));
        while (!closed) {
            Thread.interrupted(); // A source or a listener may have left it up.
            Scheduled next = sources.stream()
                    .min(Comparator.comparingLong(source -> due.getOrDefault(source, 0L) - ticker.nanos()))
                    .orElseThrow();
            long nextAt = due.getOrDefault(next, 0L);
            if (nextAt - ticker.nanos() > 0) {
                ticker.parkUntil(this, nextAt);
            } else {
                run(List.of(next));
                due.put(next, ticker.nanos() + next.interval.toNanos());
            }
        }
    }

    @Override
    public ExpirationRun runOnce() {
        requireOpen();
        if (running.isHeldByCurrentThread()) {
            throw new IllegalStateException("A run of this job is under way on this thread");
        }
        return run(sources);
    }

    private ExpirationRun run(List<Scheduled> some) {
        running.lock();
        try {
            List<SourceRun> runs = new ArrayList<>();
            for (Scheduled source : some) {
                if (!closed) {
                    runs.add(run(source));
                }
            }
            return new ExpirationRun(runs);
        } finally {
            if (closed) {
                meters.close();
            }
            running.unlock();
        }
    }

    private SourceRun run(Scheduled scheduled) {
        Tally tally = new Tally(scheduled.name, ticker, progress, () -> closed);
        Optional<Throwable> failure = Optional.empty();
        try {
            scheduled.source.expire(tally);
        } catch (Throwable e) {
            failure = Optional.of(e);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        SourceRun run = tally.result(lag(scheduled), failure);
        report(run, lastRuns.put(scheduled.name, run));
        return run;
    }

    /** A run that failed has a lag, too. An interrupted thread does not ask, because an interrupt closes the file of an H2. */
    private static Optional<Duration> lag(Scheduled scheduled) {
        if (Thread.currentThread().isInterrupted()) {
            return Optional.empty();
        }
        try {
            return Optional.of(scheduled.source.lag());
        } catch (Throwable e) {
            Log.debug("Could not find out the lag of source " + scheduled.name, e);
            return Optional.empty();
        }
    }

    private void report(SourceRun run, @Nullable SourceRun before) {
        meters.record(run);
        Optional<Throwable> failureBefore = before == null ? Optional.empty() : before.failure();
        boolean isNew = !run.failure().map(FailureKind::of).equals(failureBefore.map(FailureKind::of));
        if (run.failure().isPresent() && isNew) {
            Log.warn("A run of source " + run.source() + " failed; the job tries again", run.failure().get());
        } else if (run.failure().isPresent()) {
            Log.debug("A run of source " + run.source() + " failed again", run.failure().get());
        } else if (failureBefore.isPresent()) {
            Log.info("Source " + run.source() + " works again");
        }
        if (run.processedCount() > 0 || run.failedCount() > 0) {
            Log.info("Source " + run.source() + ": " + run.processedCount() + " expired, " + run.failedCount()
                    + " failed, " + run.setAsideCount() + " set aside, " + run.duration().toMillis() + " ms");
        }
    }

    @Override
    public Optional<ExpirationRun> lastRun() {
        List<SourceRun> runs = sources.stream()
                .flatMap(source -> Stream.ofNullable(lastRuns.get(source.name)))
                .toList();
        return runs.isEmpty() ? Optional.empty() : Optional.of(new ExpirationRun(runs));
    }

    @Override
    public Map<String, Duration> lag() {
        Map<String, Duration> lags = new LinkedHashMap<>();
        for (Scheduled scheduled : sources) {
            try {
                lags.put(scheduled.name, scheduled.source.lag());
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                throw new ReservationException(
                        "Source " + scheduled.name + " did not say how far behind it is: " + e.getMessage(), e);
            }
        }
        return lags;
    }

    /** A source or a listener that closes its own job must not wait for its own run. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread.get());
        if (running.isHeldByCurrentThread()) {
            return;
        }
        try {
            running.lockInterruptibly();
            running.unlock();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        meters.close();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The job is closed");
        }
    }
}
