// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossListener;
import com.github.reservation.LostReservation;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls one listener, on platform threads: a virtual one would not run while all carriers are busy, and the listener must hear
 * of a loss before anybody else can get the key. The listener has at most 16 threads at a time, so one that blocks holds up
 * nobody but itself.
 */
final class ListenerCalls {

    private static final int MOST_THREADS = 16;
    private static final Duration KEPT_IDLE = Duration.ofSeconds(10);
    private static final AtomicInteger STARTED = new AtomicInteger();

    /** The threads of all listeners in the JVM; each ends when it has had nothing to do for a while. */
    private static final Executor THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            KEPT_IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> Threads.platform("reservation-listener-" + STARTED.incrementAndGet(), task));

    private final LossListener listener;
    private final Queue<LostReservation> untold = new ConcurrentLinkedQueue<>();
    private final AtomicInteger threads = new AtomicInteger();
    private volatile boolean closed;

    ListenerCalls(LossListener listener) {
        this.listener = listener;
    }

    /** Tells the listener soon; does not wait for it. */
    void tell(LostReservation lost) {
        untold.add(lost);
        if (reserveThread()) {
            start();
        }
    }

    /** Ends the calls; one that has begun goes on. */
    void close() {
        closed = true;
        untold.clear();
    }

    private boolean reserveThread() {
        return threads.getAndUpdate(count -> Math.min(count + 1, MOST_THREADS)) < MOST_THREADS;
    }

    private void start() {
        try {
            THREADS.execute(this::run);
        } catch (OutOfMemoryError e) { // No platform thread to be had; late is better than never.
            Threads.startVirtual("reservation-listener", this::run);
        }
    }

    private void run() {
        Thread.currentThread().setContextClassLoader(listener.getClass().getClassLoader());
        do {
            for (LostReservation lost = untold.poll(); lost != null; lost = untold.poll()) {
                call(lost);
            }
            threads.decrementAndGet();
            // Another loss may have come before this thread counted as free, and have found none to be had.
        } while (!untold.isEmpty() && reserveThread());
    }

    private void call(LostReservation lost) {
        if (closed) {
            return;
        }
        try {
            listener.onLost(lost);
        } catch (Throwable e) {
            Log.warn("A listener failed on the loss of " + Losses.shown(lost), e);
        }
    }
}
