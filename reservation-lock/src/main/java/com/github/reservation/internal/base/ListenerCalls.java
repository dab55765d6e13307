// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Calls one listener on platform threads: a virtual thread would not run while all carriers are busy, and the listener must learn
 * of a loss before another node can get the key. Each listener has a limited number of threads, so a listener that blocks delays
 * only itself. Its calls run with the context class loader of the thread that made this. If the system has no thread left, it tries again
 * each second.
 *
 * @param <T> the event
 */
public final class ListenerCalls<T> {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Guard guard;
    private final Consumer<? super T> listener;
    private final int mostThreads;
    private final Executor executor;
    private final ClassLoader context = Thread.currentThread().getContextClassLoader();
    private final Queue<T> pending;
    private final AtomicBoolean dropping = new AtomicBoolean();
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicBoolean late = new AtomicBoolean();
    private final Clockwork.Alarm retry;
    private volatile boolean closed;

    /** Drops events while {@code mostPending} others wait. */
    public ListenerCalls(
            Ticker ticker, Guard guard, Consumer<? super T> listener, int mostThreads, int mostPending) {
        this(ticker, guard, listener, mostThreads, mostPending, Threads::execute);
    }

    ListenerCalls(
            Ticker ticker,
            Guard guard,
            Consumer<? super T> listener,
            int mostThreads,
            int mostPending,
            Executor executor) {
        this.guard = guard;
        this.listener = listener;
        this.mostThreads = mostThreads;
        this.executor = executor;
        this.pending = new LinkedBlockingQueue<>(mostPending);
        this.retry = new Clockwork.Alarm(ticker, SECOND, woken -> start() ? Clockwork.OVER : SECOND.toNanos());
    }

    /** Calls the listener soon; neither waits for it nor throws. */
    public void call(T event) {
        if (!pending.offer(event) && dropping.compareAndSet(false, true)) {
            Log.warn("A listener is too slow; events are dropped", null);
        }
        if (!start()) {
            startLater();
        }
    }

    /** Starts a thread if a call waits and another thread may run; false if the system has none. */
    private boolean start() {
        if (!pending.isEmpty() && takeThread()) {
            try {
                executor.execute(this::run);
            } catch (Throwable e) {
                threads.decrementAndGet();
                return false;
            }
        }
        if (late.get()) {
            late.set(false);
        }
        return true;
    }

    private void startLater() {
        if (late.compareAndSet(false, true)) {
            Log.warn("There is no thread to call a listener; tried again each second", null);
        }
        try {
            retry.join();
        } catch (OutOfMemoryError e) {
            late.set(false); // Not even one for that: the next event tries again.
        }
    }

    /** Ends the calls; one that has begun goes on. */
    public void close() {
        closed = true;
        pending.clear();
    }

    private boolean takeThread() {
        return threads.getAndUpdate(count -> Math.min(count + 1, mostThreads)) < mostThreads;
    }

    private void run() {
        do {
            for (T event = pending.poll(); event != null; event = pending.poll()) {
                deliver(event);
            }
            dropping.set(false);
            threads.decrementAndGet();
            // Another event may have come before this thread counted as free, and have found none to be had.
        } while (!pending.isEmpty() && takeThread());
    }

    private void deliver(T event) {
        if (closed) {
            return;
        }
        Thread.currentThread().setContextClassLoader(context);
        Thread.interrupted(); // The call before may have left it up.
        guard.run(() -> listener.accept(event));
    }
}
