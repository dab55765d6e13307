// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A daemon thread that sleeps until the first of many deadlines. Starts with the first one, ends when closed and idle. */
final class DeadlineThread {

    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** How long the thread sleeps at most after it was woken, so that the next callers need not wake it: that costs more. */
    private static final long A_MOMENT = Duration.ofMillis(100).toNanos();

    private final String name;
    private final LongUnaryOperator work;
    private final BooleanSupplier idle;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile long sleepsUntil;

    /** An unpark alone could be used up by something else that the thread does. */
    private volatile boolean woken;

    private volatile boolean closed;

    /**
     * Makes a thread that is not started yet.
     *
     * @param work does what is due; returns the next deadline, or its argument if that is earlier
     * @param idle whether there is no deadline left
     */
    DeadlineThread(String name, LongUnaryOperator work, BooleanSupplier idle) {
        this.name = name;
        this.work = work;
        this.idle = idle;
    }

    /** Makes sure that the thread does not miss the deadline, which {@code work} must know already. */
    void watch(long deadline) {
        Threads.startOnce(thread, name, this::run);
        // The work knew the deadline before this is read, and the thread sets it before it works: one sees the other.
        if (deadline - sleepsUntil < 0) {
            wake();
        }
    }

    /** Makes the thread work now: deadlines may be earlier than they were. */
    void wake() {
        woken = true;
        LockSupport.unpark(thread.get());
    }

    /** Makes the thread end as soon as it is idle. */
    void close() {
        closed = true;
        wake();
    }

    private void run() {
        while (true) {
            sleepsUntil = System.nanoTime() + FOREVER;
            boolean wasWoken = woken;
            woken = false;
            boolean mayEnd = closed;
            long next = work(wasWoken ? A_MOMENT : FOREVER);
            if (mayEnd && idle.getAsBoolean()) {
                thread.set(null);
                // A deadline that came before this has seen a thread, and a later one has started another.
                if (idle.getAsBoolean() || !thread.compareAndSet(null, Thread.currentThread())) {
                    return;
                }
            }
            sleepsUntil = next;
            if (!woken) {
                LockSupport.parkNanos(this, Math.max(1, next - System.nanoTime()));
            }
            Thread.interrupted(); // Nothing should interrupt this thread; but with the flag set no park would last.
        }
    }

    /** Returns when to work again, in so many nanoseconds at the latest. */
    private long work(long latest) {
        try {
            return work.applyAsLong(System.nanoTime() + latest);
        } catch (Throwable e) { // Without this thread no call and no lease would end any more.
            Log.warn("The thread " + name + " failed, and tries again", e);
            return System.nanoTime() + A_MOMENT;
        }
    }
}
