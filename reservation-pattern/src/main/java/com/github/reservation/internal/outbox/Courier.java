// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.base.Threads;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the {@link Pump} of one listener on a thread of the library: until it is stopped, or, for a caller that works itself, until
 * nothing is due.
 */
final class Courier {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** A caller that works looks for groups at least so often. */
    private static final long NAP = Duration.ofMillis(10).toNanos();

    private final OutboxPlan plan;
    private final String listener;
    private final Workers workers;
    private final Pump pump;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private final @Nullable Thread caller;
    private volatile boolean stopping;
    private volatile @Nullable StoreException failure;

    private Courier(
            OutboxPlan plan,
            Retries retries,
            Subscriber<?> subscriber,
            KnownListeners listeners,
            boolean onCallersThread) {
        this.plan = plan;
        this.listener = subscriber.id();
        this.caller = onCallersThread ? Thread.currentThread() : null;
        this.workers = new Workers(subscriber, onCallersThread ? 0 : plan.workers(), this::wake);
        this.pump = new Pump(plan, retries, subscriber, listeners, workers);
        this.thread = Threads.platform("reservation-outbox-" + listener, this::run);
    }

    /** Delivers in the background. */
    static Courier start(
            OutboxPlan plan, Retries retries, Subscriber<?> subscriber, KnownListeners listeners) {
        Courier courier = new Courier(plan, retries, subscriber, listeners, false);
        courier.thread.start();
        return courier;
    }

    /** Delivers what is due when {@link #work()} is called. */
    static Courier forCaller(
            OutboxPlan plan, Retries retries, Subscriber<?> subscriber, KnownListeners listeners) {
        return new Courier(plan, retries, subscriber, listeners, true);
    }

    /**
     * Delivers what is due, on this thread.
     *
     * @return how many deliveries succeeded
     */
    int work() throws StoreException {
        thread.start();
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            if (!interrupted) {
                workers.work();
            }
            if (Thread.interrupted()) {
                interrupted = true;
                stop();
            }
            LockSupport.parkNanos(this, NAP);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        StoreException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return pump.delivered();
    }

    private void run() {
        Registration gauge = plan.meters().trackSlow(listener, pump::slow);
        try {
            Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
            while (!isOver()) {
                StoreException failed = step();
                if (failed == null) {
                    pauses.reset();
                } else if (stopping || caller != null) {
                    failure = failed;
                    return; // What is not recorded is delivered again.
                } else {
                    plan.ticker().parkUntil(this, plan.ticker().nanos() + pauses.next());
                }
                Thread.interrupted();
            }
        } finally {
            workers.takeBack();
            gauge.close();
            ended.countDown();
            LockSupport.unpark(caller);
        }
    }

    /** Returns why it failed. Whatever that is, delivery goes on: nobody else would deliver to this listener here. */
    private @Nullable StoreException step() {
        try {
            boolean progress = pump.step(stopping);
            if (!progress && !isOver()) {
                plan.ticker().parkUntil(this, pump.nextStepAt(stopping));
            }
            return null;
        } catch (StoreException e) {
            return e;
        } catch (Throwable e) {
            Log.warn("The delivery to listener " + listener + " failed in an unexpected way, and goes on", e);
            return new StoreException(Kind.OUTCOME_UNKNOWN, "The delivery failed: " + ErrorText.of(e), e);
        }
    }

    private boolean isOver() {
        return (stopping && pump.isEmpty()) || (caller != null && pump.isIdle());
    }

    /** Ends the parking of whoever has something to do now. */
    private void wake() {
        LockSupport.unpark(thread);
        LockSupport.unpark(caller);
    }

    /** Lets the listener get what is due without waiting for the next poll. */
    void lookSoon() {
        pump.lookSoon();
        LockSupport.unpark(thread);
    }

    /** Begins nothing new. */
    void stop() {
        stopping = true;
        LockSupport.unpark(thread);
    }

    /** Waits for the listeners that run, and until what they did is recorded; returns whether that is so in time. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        return ended.await(nanos, TimeUnit.NANOSECONDS);
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    String listener() {
        return listener;
    }

    boolean isWorkedBy(Thread one) {
        return workers.isOne(one);
    }
}
