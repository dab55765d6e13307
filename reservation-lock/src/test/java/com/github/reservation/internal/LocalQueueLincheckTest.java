// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/** Threads that enter, ask, leave and wake each other, in every order of their steps. Time stands still at 0. */
@Param(name = "thread", gen = ThreadIdGen.class)
public class LocalQueueLincheckTest {

    private static final String KEY = "orders::42";
    private static final int THREADS = 3;
    private static final long LATER = 10;
    private static final long DEADLINE = 100;

    private final LocalQueue queue = new LocalQueue();

    /** The place of each thread in the queue, or null; touched by that thread alone. */
    private final Waiter[] waiters = new Waiter[THREADS + 2];

    @Test
    void theQueueHasOneHeadAndServesInOrder() {
        new ModelCheckingOptions()
                .iterations(15)
                .invocationsPerIteration(150)
                .threads(THREADS)
                .actorsPerThread(2)
                .sequentialSpecification(Model.class)
                .check(LocalQueueLincheckTest.class);
    }

    @Operation
    public void enter(@Param(name = "thread") int thread) {
        if (waiters[thread] == null) {
            waiters[thread] = queue.enter(KEY, Thread.currentThread(), 0);
        }
    }

    @Operation
    public boolean asks(@Param(name = "thread") int thread) {
        Waiter waiter = waiters[thread];
        boolean asks = waiter != null && waiter.shouldAsk(0, DEADLINE);
        if (asks) {
            waiter.askAgainAt(LATER);
        }
        return asks;
    }

    @Operation
    public boolean isHead(@Param(name = "thread") int thread) {
        return waiters[thread] != null && waiters[thread].isHead();
    }

    /** Only the head can have got the key. */
    @Operation
    public void leaveWithKey(@Param(name = "thread") int thread) {
        if (isHead(thread)) {
            queue.leaveWithKey(waiters[thread], LATER);
            waiters[thread] = null;
        }
    }

    @Operation
    public boolean leaveWithoutKey(@Param(name = "thread") int thread) {
        if (waiters[thread] == null) {
            return false;
        }
        boolean last = queue.leaveWithoutKey(waiters[thread]);
        waiters[thread] = null;
        return last;
    }

    @Operation
    public void wake() {
        queue.wake(KEY);
    }

    @Operation
    public int size() {
        return queue.size(KEY);
    }

    /** The same, one step at a time: the head is whoever is first, and what it knows goes with its place. */
    public static class Model {

        private final List<Integer> inOrder = new ArrayList<>();
        private boolean woken;
        private boolean due;

        public void enter(int thread) {
            if (inOrder.isEmpty()) {
                woken = false;
                due = true;
            }
            if (!inOrder.contains(thread)) {
                inOrder.add(thread);
            }
        }

        public boolean asks(int thread) {
            if (!isHead(thread)) {
                return false;
            }
            boolean asks = woken || due;
            woken = false;
            due &= !asks;
            return asks;
        }

        public boolean isHead(int thread) {
            return !inOrder.isEmpty() && inOrder.getFirst() == thread;
        }

        public void leaveWithKey(int thread) {
            if (isHead(thread)) {
                inOrder.removeFirst();
                woken = false;
                due = false;
            }
        }

        public boolean leaveWithoutKey(int thread) {
            return inOrder.remove((Object) thread) && inOrder.isEmpty();
        }

        public void wake() {
            woken |= !inOrder.isEmpty();
        }

        public int size() {
            return inOrder.size();
        }
    }

    @Test
    void aWakeUpIsNotLostWhenTheHeadLeavesWithoutTheKey() {
        Lincheck.runConcurrentTest(1_000, () -> {
            Store store = new Store();
            Thread quitter = new Thread(store::tryOnce);
            Thread patient = new Thread(store::waitForIt);
            quitter.start();
            patient.start();

            store.giveBack();

            // Hangs, and Lincheck tells so, if the patient thread was not woken.
            join(patient);
            join(quitter);
            store.requireOrder();
        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** One key that is held at first, and the queue before it. Nobody asks twice unless woken. */
    private static final class Store {

        private final LocalQueue queue = new LocalQueue();
        private final AtomicBoolean free = new AtomicBoolean();
        private final AtomicInteger asking = new AtomicInteger();
        private final AtomicBoolean twoHeads = new AtomicBoolean();

        void giveBack() {
            free.set(true);
            queue.wake(KEY);
        }

        void tryOnce() {
            Waiter waiter = queue.enter(KEY, Thread.currentThread(), 0);
            if (waiter.shouldAsk(0, DEADLINE) && isGranted()) {
                queue.leaveWithKey(waiter, LATER);
                giveBack();
            } else {
                queue.leaveWithoutKey(waiter);
            }
        }

        void waitForIt() {
            Waiter waiter = queue.enter(KEY, Thread.currentThread(), 0);
            boolean granted = false;
            while (!granted) {
                if (waiter.shouldAsk(0, DEADLINE)) {
                    waiter.askAgainAt(LATER);
                    granted = isGranted();
                } else {
                    waiter.park(new StandingTicker(), DEADLINE);
                }
            }
            queue.leaveWithKey(waiter, LATER);
        }

        private boolean isGranted() {
            if (asking.incrementAndGet() > 1) {
                twoHeads.set(true);
            }
            boolean granted = free.compareAndSet(true, false);
            asking.decrementAndGet();
            return granted;
        }

        /** Plain checks: AssertJ inside of Lincheck would be looked at step by step, too. */
        void requireOrder() {
            if (twoHeads.get()) {
                throw new AssertionError("Two threads asked at the same time");
            }
            if (!queue.isEmpty()) {
                throw new AssertionError("The queue is not empty although nobody waits");
            }
        }
    }

    /** Time that never moves: whoever parks must be woken. */
    private static final class StandingTicker implements Ticker {

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void parkUntil(Object blocker, long deadline) {
            LockSupport.park(blocker);
        }
    }
}
