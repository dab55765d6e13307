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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Brings events to one listener: looks which lanes have events, and sends workers there; lets no lane wait for a slow key, and no lease
 * end. It has a thread of the library, which calls no listener. It runs until it is stopped, or, for a caller that works itself, until
 * nothing is due.
 */
final class Courier {

    /** How often it looks at the visits. */
    static final Duration BEAT = Duration.ofMillis(100);

    static final Duration REGISTERED_EVERY = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** A caller that works looks for visits at least so often. */
    private static final long NAP = Duration.ofMillis(10).toNanos();

    private final OutboxPlan plan;
    private final Retries retries;
    private final Subscriber<?> subscriber;
    private final AbsentListeners absent;
    private final LookTimes looks;
    private final DueLanes dueLanes;
    private final Outcomes outcomes;
    private final int workers;
    private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
    private final Queue<Visit> forCaller = new ConcurrentLinkedQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private final @Nullable Thread caller;
    private volatile boolean stopping;
    private volatile @Nullable StoreException failure;

    /** After a failure it asks the store for nothing new until then. */
    private long pausedUntil;

    private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);

    private Courier(OutboxPlan plan, Retries retries, Subscriber<?> subscriber, AbsentListeners absent,
            @Nullable Thread caller) {
        this.plan = plan;
        this.retries = retries;
        this.subscriber = subscriber;
        this.absent = absent;
        this.caller = caller;
        this.workers = caller == null ? plan.workers() : 1;
        this.looks = new LookTimes(plan.ticker(), plan.pollInterval());
        this.pausedUntil = plan.ticker().nanos();
        this.thread = Threads.platform("reservation-outbox-" + subscriber.id(), this::run);
        this.outcomes = new Outcomes(this, retries);
        this.dueLanes = new DueLanes(this, retries, workers);
    }

    /** Delivers in the background, once it is {@linkplain #start started}. */
    static Courier inBackground(OutboxPlan plan, Retries retries, Subscriber<?> subscriber, AbsentListeners absent) {
        return new Courier(plan, retries, subscriber, absent, null);
    }

    /** Delivers what is due when {@link #work()} is called. */
    static Courier forCaller(OutboxPlan plan, Retries retries, Subscriber<?> subscriber, AbsentListeners absent) {
        return new Courier(plan, retries, subscriber, absent, Thread.currentThread());
    }

    void start() {
        thread.start();
    }

    /**
     * Delivers what is due, on this thread.
     *
     * @return how many deliveries succeeded
     */
    int work() throws StoreException {
        start();
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            Visit visit = forCaller.poll();
            if (visit != null) {
                run(visit);
            }
            if (Thread.interrupted()) {
                interrupted = true;
                stop();
            }
            LockSupport.parkNanos(this, visit == null ? NAP : 1);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        StoreException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return outcomes.delivered();
    }

    private void run() {
        Registration gauge = plan.meters().trackSlow(
                subscriber.id(), () -> (int) visits.stream().filter(Visit::isSlow).count());
        try {
            while (!isOver()) {
                visits.forEach(this::beat);
                if (!step()) {
                    plan.ticker().parkUntil(this, nextStepAt());
                }
                Thread.interrupted();
            }
        } finally {
            gauge.close();
            ended.countDown();
            LockSupport.unpark(caller);
        }
    }

    private boolean isOver() {
        return visits.isEmpty() && (stopping || (caller != null && dueLanes.isIdle()));
    }

    /** A visit whose lease can't be extended now keeps no other from it. The next beat tries again. */
    private void beat(Visit visit) {
        try {
            visit.beat();
        } catch (StoreException e) {
            Log.debug("The store does not answer; what is under way is extended later", e);
        } catch (Throwable e) {
            unexpected(e);
        }
    }

    /** Returns whether it did something. Whatever fails, delivery goes on: nobody else would deliver to this listener here. */
    private boolean step() {
        try {
            boolean progress = !stopping && plan.ticker().nanos() - pausedUntil >= 0 && proceed();
            if (progress) {
                pauses.reset();
            }
            return progress;
        } catch (StoreException e) {
            failed(e);
        } catch (Throwable e) {
            unexpected(e);
            failed(new StoreException(Kind.OUTCOME_UNKNOWN, "The delivery failed: " + ErrorText.of(e), e));
        }
        return false;
    }

    private void failed(StoreException e) {
        if (caller == null) {
            pausedUntil = plan.ticker().nanos() + pauses.next();
            looks.ask(); // After the pause, whatever the last look has found.
        } else {
            failure = e;
            stopping = true;
        }
    }

    private void unexpected(Throwable e) {
        Log.warn("The delivery to listener " + subscriber.id() + " failed in an unexpected way, and goes on", e);
    }

    private long nextStepAt() {
        long now = plan.ticker().nanos();
        long beat = now + (visits.isEmpty() ? REGISTERED_EVERY : BEAT).toNanos();
        long look = looks.next() - pausedUntil > 0 ? looks.next() : pausedUntil;
        return isOver() ? now : !stopping && hasFreeWorkers() && look - beat < 0 ? look : beat;
    }

    private boolean proceed() throws StoreException {
        register();
        return hasFreeWorkers() && dueLanes.next();
    }

    /** Somebody may make the store forget a listener that runs here. So it is registered again from time to time. */
    private void register() throws StoreException {
        long now = plan.ticker().nanos();
        Long last = subscriber.registeredAt();
        if (last == null || now - last >= REGISTERED_EVERY.toNanos()) {
            Set<String> unknown =
                    retries.repeated(() -> plan.store().register(subscriber.stored()));
            subscriber.registered(now);
            absent.registered();
            if (last != null && !unknown.isEmpty()) {
                Log.warn("Listener " + subscriber.id() + " was forgotten although it runs here, with the types "
                        + unknown + ". It is registered again, for new events", null);
            }
        }
    }

    /** Has a worker make a visit, unless one is at this lane: if it has lost the lease, its listener still runs. */
    void begin(Visit visit) {
        if (visits.stream().anyMatch(visit::isToSameLane)) {
            return;
        }
        visits.add(visit);
        if (caller == null) {
            boolean begun = false;
            try {
                Threads.execute(() -> run(visit));
                begun = true;
            } finally {
                if (!begun) {
                    visits.remove(visit);
                }
            }
        } else {
            forCaller.add(visit);
            LockSupport.unpark(caller);
        }
    }

    private void run(Visit visit) {
        boolean fruitful = false;
        try {
            fruitful = visit.run();
        } catch (StoreException e) {
            failure = e; // What is not recorded is delivered again.
            if (caller != null) {
                stopping = true;
            }
        } catch (Throwable e) {
            unexpected(e);
        } finally {
            visit.end(); // In this order, the next look finds the lane free, and there is a next look.
            if (fruitful) {
                looks.ask();
            }
            visits.remove(visit);
            LockSupport.unpark(thread);
        }
    }

    /** A thread of the library goes on with another event. A caller learns of an interrupt, and stops. */
    void afterDelivery(@Nullable Throwable cause) {
        if (caller == null) {
            Thread.interrupted();
        } else if (cause instanceof InterruptedException) {
            caller.interrupt();
        }
    }

    /** Lets the listener get what is due without waiting for the next poll. */
    void lookSoon() {
        looks.ask();
        LockSupport.unpark(thread);
    }

    /** Begins nothing new. */
    void stop() {
        stopping = true;
        LockSupport.unpark(thread);
    }

    boolean isStopping() {
        return stopping || (caller != null && caller.isInterrupted());
    }

    /** Waits for the listeners that run, and until what they did is recorded; returns whether that is so in time. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        return ended.await(nanos, TimeUnit.NANOSECONDS);
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    boolean isWorkedBy(Thread one) {
        return visits.stream().anyMatch(visit -> visit.isOn(one));
    }

    boolean hasFreeWorkers() {
        return visits.size() < workers;
    }

    /** Returns whether a call that failed is not made again. */
    boolean givesUp() {
        return stopping || caller != null;
    }

    boolean isThread(Thread one) {
        return thread.equals(one);
    }

    LookTimes looks() {
        return looks;
    }

    OutboxPlan plan() {
        return plan;
    }

    Subscriber<?> subscriber() {
        return subscriber;
    }

    String listener() {
        return subscriber.id();
    }

    Outcomes outcomes() {
        return outcomes;
    }
}
