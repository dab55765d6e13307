// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;

/** A thread of its own that does one thing after another: what it locks, it can unlock. */
public final class Actor implements AutoCloseable {

    /** What an actor does; may throw anything. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final ExecutorService executor;
    private final Thread thread;

    public Actor(String name) {
        this.executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(name).factory());
        this.thread = ask(Thread::currentThread);
    }

    public Thread thread() {
        return thread;
    }

    /** Starts the step and goes on. */
    public Future<?> starts(Step step) {
        return starts(() -> {
            step.run();
            return null;
        });
    }

    public <T> Future<T> starts(Callable<T> call) {
        return executor.submit(call);
    }

    /** Starts the call and goes on when it waits for something, or is done. */
    public <T> Future<T> startsAndWaits(Callable<T> call) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Future<T> future = starts(() -> {
            begun.countDown();
            return call.call();
        });
        begun.await();
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!future.isDone() && !waits()) {
            if (System.nanoTime() - giveUp > 0) {
                throw new AssertionError("Neither waits nor ends: " + thread);
            }
            Thread.onSpinWait();
        }
        return future;
    }

    /** A thread that waits for a lock inside the library, which other tests use too, has not come to wait for a key yet. */
    private boolean waits() {
        return WAITING.contains(thread.getState())
                && !(LockSupport.getBlocker(thread) instanceof AbstractQueuedSynchronizer);
    }

    /** Returns whether the thread is parked in the queue of a manager. */
    public boolean isQueued() {
        Object blocker = LockSupport.getBlocker(thread);
        return blocker != null && blocker.getClass().getSimpleName().equals("Waiter");
    }

    public Future<?> startsAndWaits(Step step) throws InterruptedException {
        return startsAndWaits(() -> {
            step.run();
            return null;
        });
    }

    /** Does the step and waits for its end. */
    public void does(Step step) {
        ask(() -> {
            step.run();
            return null;
        });
    }

    /** Does the call and returns what it returns, or throws what it throws. */
    public <T> T ask(Callable<T> call) {
        return result(executor.submit(call));
    }

    /** Returns the result of what was started; it must come soon. */
    public static <T> T result(Future<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw sneaky(e.getCause());
        } catch (Exception e) {
            throw new AssertionError("No result in time", e);
        }
    }

    /** Returns what the started step threw. */
    public static Throwable failure(Future<?> future) {
        try {
            future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (Exception e) {
            throw new AssertionError("No result in time", e);
        }
        throw new AssertionError("Nothing was thrown");
    }

    /** Waits for the latch where nothing may be thrown; nobody interrupts a test. */
    public static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneaky(Throwable e) throws X {
        throw (X) e;
    }
}
