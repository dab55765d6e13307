// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import static org.awaitility.Awaitility.await;

import com.github.reservation.internal.Interleaving;
import com.github.reservation.memory.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that enter, ask, leave and wake each other, in every order of their steps. Time stands still at 0. */
@Param(name = "thread", gen = ThreadIdGen.class)
@Tag("long")
public class LocalQueueLincheckTest {

    private static final String KEY = "orders::42";
    private static final int THREADS = 3;
    private static final long LATER = 10;
    private static final long DEADLINE = 100;

    private final LocalQueue queue = new LocalQueue(null);

    /** The place of each thread in the queue, or null; touched by that thread alone. */
    private final Waiter[] waiters = new Waiter[THREADS + 2];

    @Test
    void theQueueHasOneHeadAndServesInOrder() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(40)
                .threads(THREADS)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(2)
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
        Interleaving.check(() -> new Crowd() {

            @Override
            public void here() {
                crowd.leaveWithoutKey(first);
            }

            @Override
            public void there() {
                crowd.wake(KEY);
            }

            @Override
            public boolean endsWell() {
                return isOnlyHead(second) && second.shouldAsk(0, DEADLINE);
            }
        });
    }

    @Test
    void aWakeUpIsNotLostWhenSomebodyBehindTheHeadLeaves() {
        Interleaving.check(() -> new Crowd() {

            @Override
            public void here() {
                crowd.leaveWithoutKey(second);
            }

            @Override
            public void there() {
                crowd.wake(KEY);
            }

            @Override
            public boolean endsWell() {
                return isOnlyHead(first) && first.shouldAsk(0, DEADLINE);
            }
        });
    }

    @Test
    void whoLeavesFromBehindTheHeadChangesNothingForIt() {
        Interleaving.check(() -> new Crowd() {

            @Override
            public void here() {
                crowd.leaveWithoutKey(second);
            }

            @Override
            public void there() {
                crowd.leaveWithoutKey(third);
            }

            @Override
            public boolean endsWell() {
                return first.isHead() && !first.shouldAsk(0, DEADLINE) && crowd.size(KEY) == 1;
            }
        });
    }

    @Test
    void aWakeUpIsNotLostWhileTheHeadAsks() {
        Interleaving.check(() -> new Crowd() {

            private final AtomicBoolean free = new AtomicBoolean();
            private boolean granted;

            @Override
            public void here() {
                if (first.shouldAsk(LATER, DEADLINE)) {
                    granted = free.get();
                    first.askAgainAt(LATER);
                }
            }

            @Override
            public void there() {
                free.set(true);
                crowd.wake(KEY);
            }

            @Override
            public boolean endsWell() {
                return granted || first.shouldAsk(0, DEADLINE);
            }
        });
    }

    @Test
    void theOldestIsNextWhoeverComes() {
        Interleaving.check(() -> new Crowd() {

            private Waiter newcomer;

            @Override
            public void here() {
                crowd.leaveWithKey(first, LATER);
            }

            @Override
            public void there() {
                newcomer = crowd.enter(KEY, Thread.currentThread(), 0);
            }

            @Override
            public boolean endsWell() {
                return isOnlyHead(second) && !newcomer.isHead() && !second.shouldAsk(0, DEADLINE);
            }
        });
    }

    @Test
    void theOldestIsNextWhoeverElseLeaves() {
        Interleaving.check(() -> new Crowd() {

            @Override
            public void here() {
                crowd.leaveWithoutKey(first);
            }

            @Override
            public void there() {
                crowd.leaveWithoutKey(second);
            }

            @Override
            public boolean endsWell() {
                return third.isHead() && crowd.size(KEY) == 1;
            }
        });
    }

    @Test
    void whoeverComesWhenTheLastOneLeavesIsTheHead() {
        Interleaving.check(() -> new Crowd() {

            private Waiter newcomer;

            {
                crowd.leaveWithoutKey(third);
                crowd.leaveWithoutKey(second);
            }

            @Override
            public void here() {
                crowd.leaveWithoutKey(first);
            }

            @Override
            public void there() {
                newcomer = crowd.enter(KEY, Thread.currentThread(), 0);
            }

            @Override
            public boolean endsWell() {
                return newcomer.isHead() && crowd.leaveWithoutKey(newcomer) && crowd.isEmpty();
            }
        });
    }

    /** Three threads that wait for one key; the first of them has asked already. */
    private abstract static class Crowd implements Interleaving.Scene {

        protected final LocalQueue crowd = new LocalQueue(null);
        protected final Waiter first = crowd.enter(KEY, Thread.currentThread(), LATER);
        protected final Waiter second = crowd.enter(KEY, Thread.currentThread(), LATER);
        protected final Waiter third = crowd.enter(KEY, Thread.currentThread(), LATER);

        /** Of those who still wait. */
        protected final boolean isOnlyHead(Waiter waiter) {
            return waiter.isHead() && (waiter == second || !second.isHead()) && !third.isHead();
        }
    }

    @Test
    @Timeout(30)
    void aWakeUpEndsAPark() throws InterruptedException {
        Waiter[] waiter = new Waiter[1];
        Thread thread = new Thread(() -> {
            while (!waiter[0].shouldAsk(0, DEADLINE)) {
                waiter[0].park(new ManualTicker(), DEADLINE);
            }
        });
        waiter[0] = queue.enter(KEY, thread, LATER);
        thread.start();
        await().until(() -> LockSupport.getBlocker(thread) == waiter[0]);

        queue.wake(KEY);

        thread.join();
    }
}
