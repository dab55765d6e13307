// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Starts every thread of this library. None of them keeps a JVM alive, and none inherits thread-locals: the caller's may hold a
 * transaction, a security context or a whole class loader. A task that is handed over sees the context class loader of the
 * thread that does so.
 */
public final class Threads {

    private static final Duration KEPT_IDLE = Duration.ofSeconds(10);
    private static final AtomicInteger WORKERS = new AtomicInteger();

    private static final Executor SHARED = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            KEPT_IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            worker -> platform("reservation-worker-" + WORKERS.incrementAndGet(), worker));

    private Threads() {}

    /** Returns a platform thread that serves many callers: for deadlines, which must not wait until a carrier is free. */
    public static Thread platform(String name, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(task);
    }

    /** Starts a platform thread and keeps it in {@code running}, unless there is one; the task takes it out when it ends. */
    public static void startOnce(AtomicReference<@Nullable Thread> running, String name, Runnable task) {
        if (running.get() == null) {
            Thread fresh = platform(name, task);
            if (running.compareAndSet(null, fresh)) {
                try {
                    fresh.start();
                } catch (OutOfMemoryError e) {
                    running.set(null); // No thread to be had; the next one tries again.
                    throw e;
                }
            }
        }
    }

    /**
     * Runs the task at once on a platform thread that is kept for ten seconds for the next one. There are as many as tasks run.
     *
     * @throws OutOfMemoryError if the system has no thread left
     */
    public static void execute(Runnable task) {
        SHARED.execute(inContextOfCaller(task));
    }

    /** Runs the task as {@link #execute} does; if the system has no thread left, on the calling thread. */
    public static void executeOrRun(Runnable task) {
        try {
            execute(task);
        } catch (OutOfMemoryError e) {
            task.run();
        }
    }

    /** Returns where a thread is right now, for the log. */
    public static Throwable stackOf(Thread thread) {
        Throwable stack = new Throwable("The stack of thread " + thread.getName());
        stack.setStackTrace(thread.getStackTrace());
        return stack;
    }

    /** Returns a task that runs with the context class loader of the current thread, whichever thread hands it over. */
    public static Runnable inContextOfCaller(Runnable task) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return () -> {
            Thread thread = Thread.currentThread();
            ClassLoader own = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                task.run();
            } finally {
                thread.setContextClassLoader(own);
            }
        };
    }
}
