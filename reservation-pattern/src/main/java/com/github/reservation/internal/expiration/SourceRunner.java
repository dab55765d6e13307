// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.internal.expiration.SourcesJob.Scheduled;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one source: on a thread of its own by schedule, and on any other thread by request. Its runs never overlap. No other source
 * waits for it, so a source that hangs harms only itself.
 */
final class SourceRunner {

    private final Scheduled scheduled;
    private final Consumer<SourceRun> progress;
    private final ExpirationMeters meters;
    private final Ticker ticker;
    private final AtomicReference<@Nullable Thread> schedule = new AtomicReference<>();
    private volatile @Nullable SourceRun lastRun;

    private final Lock guard = new ReentrantLock();
    private final Condition changed = guard.newCondition();

    /** The thread of the run that is under way. */
    private volatile @Nullable Thread running;

    private volatile boolean stopped;

    SourceRunner(
            Scheduled scheduled, Consumer<? super SourceRun> progress, ExpirationMeters meters, Ticker ticker) {
        this.scheduled = scheduled;
        Guard guard = Guard.of(progress);
        this.progress = run -> guard.run(() -> progress.accept(run));
        this.meters = meters;
        this.ticker = ticker;
    }

    String name() {
        return scheduled.name();
    }

    void start() {
        Threads.startOnce(schedule, "reservation-expiration-" + name(), this::runBySchedule);
    }

    private void runBySchedule() {
        long due = ticker.nanos();
        while (!stopped) {
            Thread.interrupted(); // A source or a listener may have left it up.
            if (due - ticker.nanos() > 0) {
                ticker.parkUntil(scheduled, due);
            } else {
                run();
                due = ticker.nanos() + scheduled.interval().toNanos();
            }
        }
    }

    /** Runs the source if it does not run; else returns nothing. */
    Optional<SourceRun> runIfIdle() {
        return run(false);
    }

    /** Runs the source after the run that is under way. Returns nothing if the runner is stopped or the thread interrupted before. */
    Optional<SourceRun> run() {
        return run(true);
    }

    private Optional<SourceRun> run(boolean mayWait) {
        if (!begin(mayWait)) {
            return Optional.empty();
        }
        try {
            return Optional.of(runSource());
        } finally {
            end();
        }
    }

    private boolean begin(boolean mayWait) {
        guard.lock();
        try {
            while (mayWait && running != null && !stopped) {
                changed.await();
            }
            if (running != null || stopped) {
                return false;
            }
            running = Thread.currentThread();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            guard.unlock();
        }
    }

    private SourceRun runSource() {
        Tally tally = new Tally(name(), ticker, progress, () -> stopped);
        Optional<Throwable> failure = Optional.empty();
        try {
            scheduled.source().expire(tally);
        } catch (Throwable e) {
            failure = Optional.of(e);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        SourceRun run = tally.result(lagAfterRun(), failure);
        SourceRun before = lastRun;
        lastRun = run;
        report(run, before);
        return run;
    }

    /** A run that failed has a lag, too. An interrupted thread does not ask, because an interrupt closes the file of an H2. */
    private Optional<Duration> lagAfterRun() {
        if (Thread.currentThread().isInterrupted()) {
            return Optional.empty();
        }
        try {
            return Optional.of(lag());
        } catch (Throwable e) {
            Log.debug("Could not find out the lag of source " + name(), e);
            return Optional.empty();
        }
    }

    private void report(SourceRun run, @Nullable SourceRun before) {
        meters.record(run);
        Optional<Throwable> failureBefore = before == null ? Optional.empty() : before.failure();
        boolean isNew = !run.failure().map(FailureKind::of).equals(failureBefore.map(FailureKind::of));
        if (run.failure().isPresent() && isNew) {
            Log.warn("A run of source " + name() + " failed; the job tries again", run.failure().get());
        } else if (run.failure().isPresent()) {
            Log.debug("A run of source " + name() + " failed again", run.failure().get());
        } else if (failureBefore.isPresent()) {
            Log.info("Source " + name() + " works again");
        }
        if (run.processedCount() > 0 || run.failedCount() > 0) {
            Log.info("Source " + name() + ": " + run.processedCount() + " expired, " + run.failedCount()
                    + " failed, " + run.setAsideCount() + " set aside, " + run.duration().toMillis() + " ms");
        }
    }

    /** A run that ends after the job was closed has brought its gauges back, so it takes them away. */
    private void end() {
        if (stopped) {
            meters.close();
        }
        guard.lock();
        try {
            running = null;
            changed.signalAll();
        } finally {
            guard.unlock();
        }
    }

    boolean isRunningOnThisThread() {
        return Thread.currentThread().equals(running);
    }

    Optional<SourceRun> lastRun() {
        return Optional.ofNullable(lastRun);
    }

    Duration lag() throws Exception {
        return scheduled.source().lag();
    }

    /** Ends the schedule. A run that is under way ends after its batch. */
    void stop() {
        guard.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            guard.unlock();
        }
        LockSupport.unpark(schedule.get());
    }

    /** Waits until no run is under way, and returns the thread of the one that still is when the time is over. */
    Optional<Thread> awaitEnd(long nanos) throws InterruptedException {
        guard.lockInterruptibly();
        try {
            long left = nanos;
            while (running != null && left > 0) {
                left = changed.awaitNanos(left);
            }
            return Optional.ofNullable(running);
        } finally {
            guard.unlock();
        }
    }
}
