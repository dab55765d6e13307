// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Calls one listener on platform threads: a virtual one would not run while all carriers are busy, and the listener must hear
 * of a loss before anybody else can get the key. The listener has a limited number of threads, so one that blocks holds up
 * nobody but itself.
 *
 * @param <T> what it is told
 */
final class ListenerCalls<T> {

    private final Consumer<T> listener;
    private final int mostThreads;
    private final Queue<T> untold = new ConcurrentLinkedQueue<>();
    private final AtomicInteger threads = new AtomicInteger();
    private volatile boolean closed;

    ListenerCalls(Consumer<T> listener, int mostThreads) {
        this.listener = listener;
        this.mostThreads = mostThreads;
    }

    /** Tells the listener soon; neither waits for it nor throws. */
    void tell(T event) {
        untold.add(event);
        if (takeThread()) {
            try {
                Threads.execute(this::run);
            } catch (Throwable e) { // Whoever tells of the next loss tries again.
                threads.decrementAndGet();
                Log.warn("There is no thread to call a listener; the call is late", e);
            }
        }
    }

    /** Ends the calls; one that has begun goes on. */
    void close() {
        closed = true;
        untold.clear();
    }

    private boolean takeThread() {
        return threads.getAndUpdate(count -> Math.min(count + 1, mostThreads)) < mostThreads;
    }

    private void run() {
        do {
            for (T event = untold.poll(); event != null; event = untold.poll()) {
                call(event);
            }
            threads.decrementAndGet();
            // Another event may have come before this thread counted as free, and have found none to be had.
        } while (!untold.isEmpty() && takeThread());
    }

    private void call(T event) {
        if (closed) {
            return;
        }
        Thread.interrupted(); // The call before may have left it up.
        try {
            listener.accept(event);
        } catch (Throwable e) {
            Log.warn("A listener failed on " + event, e);
        }
    }
}
