// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads on two nodes at once: never two holders, nobody stuck, nothing left behind. */
public abstract class StressContract extends ContractTest {

    private static final Duration LONG_LEASE = Duration.ofHours(1);

    /** How long a storm goes on if too little happens in its time, as on a busy machine. */
    private static final Duration LONGEST_STORM = Duration.ofMinutes(1);
    private static final List<String> KEYS = List.of("one", "two", "three");

    private List<ReservationManager> nodes;

    @BeforeEach
    void openNodes() {
        nodes = List.of(node(LONG_LEASE), node(LONG_LEASE));
    }

    /** Returns how often each of eight threads takes the lock. */
    protected int roundsPerThread() {
        return backend.roundsPerThread();
    }

    /** Returns whether all threads of the interrupt storm are virtual, instead of every second pair. */
    protected boolean stormsOnVirtualThreadsOnly() {
        return false;
    }

    @Test
    void stress_neverTwoHolders() throws Exception {
        int[] unguarded = new int[1];
        List<Thread> threads = new ArrayList<>();
        AtomicInteger running = new AtomicInteger(8);
        for (int i = 0; i < 8; i++) {
            ReservationManager node = nodes.get(i % 2);
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                for (int round = 0; round < roundsPerThread(); round++) {
                    Reservation reservation = node.getReservation(ID);
                    reservation.lock();
                    int seen = unguarded[0];
                    Thread.yield();
                    unguarded[0] = seen + 1;
                    reservation.unlock();
                }
                running.decrementAndGet();
            }));
        }

        backend.await("all rounds are done", () -> running.get() == 0);

        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(unguarded[0]).isEqualTo(8 * roundsPerThread());
        for (ReservationManager node : nodes) {
            awaitNothingLeft(node);
        }
    }

    @Test
    @Tag("long")
    void interruptStorm_leavesNoGhost_noLostFlag_noStuckQueue() throws Exception {
        List<StormWorker> workers = new ArrayList<>();
        Occupancy occupancy = new Occupancy();
        AtomicBoolean over = new AtomicBoolean();
        for (int i = 0; i < 100; i++) {
            boolean virtual = stormsOnVirtualThreadsOnly() || i % 4 < 2;
            workers.add(new StormWorker(nodes.get(i % 2), occupancy, over, virtual, backend.swallowsInterrupts()));
        }
        workers.forEach(worker -> worker.thread.start());

        long start = System.nanoTime();
        Duration lasted = Duration.ZERO;
        int interrupts = 0;
        while (lasted.compareTo(backend.stormDuration()) < 0
                || (lasted.compareTo(LONGEST_STORM) < 0 && (interrupts <= 100 || taken(workers) <= 100))) {
            for (int i = 0; i < 5; i++) {
                interrupts += workers.get(ThreadLocalRandom.current().nextInt(100)).disturb() ? 1 : 0;
            }
            backend.passAMoment();
            lasted = Duration.ofNanos(System.nanoTime() - start);
        }
        over.set(true);
        backend.await("all workers are done", () -> workers.stream().noneMatch(worker -> worker.thread.isAlive()));

        assertThat(interrupts).as("interrupts sent").isGreaterThan(100);
        assertThat(workers.stream().map(worker -> worker.failure).filter(Objects::nonNull)).isEmpty();
        assertThat(taken(workers)).as("locks taken").isGreaterThan(100);
        assertThat(occupancy.overlaps).hasValue(0);
        for (ReservationManager node : nodes) {
            awaitNothingLeft(node);
            for (String key : KEYS) {
                backend.await(key, () -> node.getReservation(key).tryLock());
                node.getReservation(key).unlock();
            }
        }
    }

    private static int taken(List<StormWorker> workers) {
        return workers.stream().mapToInt(worker -> worker.acquired).sum();
    }

    /** Counts the threads inside each critical section. */
    private static final class Occupancy {
        final List<AtomicInteger> inside = KEYS.stream().map(key -> new AtomicInteger()).toList();
        final AtomicInteger overlaps = new AtomicInteger();
    }

    /** Takes locks in all ways while it is interrupted, and accounts for every interrupt. */
    private static final class StormWorker implements Runnable {

        final Thread thread;
        volatile int acquired;
        volatile Throwable failure;

        private final ReservationManager node;
        private final Occupancy occupancy;
        private final AtomicBoolean over;
        private final boolean mayLose;
        private final AtomicBoolean interruptDue = new AtomicBoolean();

        StormWorker(
                ReservationManager node, Occupancy occupancy, AtomicBoolean over, boolean virtual, boolean mayLose) {
            this.node = node;
            this.occupancy = occupancy;
            this.over = over;
            this.mayLose = mayLose;
            this.thread = virtual ? Thread.ofVirtual().unstarted(this) : Thread.ofPlatform().daemon().unstarted(this);
        }

        /** Interrupts the worker unless an earlier interrupt is not accounted for yet. */
        boolean disturb() {
            boolean disturbs = interruptDue.compareAndSet(false, true) || mayLose;
            if (disturbs) {
                thread.interrupt();
            }
            return disturbs;
        }

        @Override
        public void run() {
            try {
                while (!over.get()) {
                    int key = ThreadLocalRandom.current().nextInt(KEYS.size());
                    boolean interrupted = useOnce(key, node.getReservation(KEYS.get(key)));
                    if (interrupted || Thread.interrupted()) {
                        interruptDue.set(false);
                    }
                }
                if (interruptDue.get() && !Thread.interrupted() && !mayLose) {
                    throw new AssertionError("An interrupt got lost");
                }
            } catch (Throwable e) {
                failure = e;
            }
        }

        /** Returns whether the attempt ended by an interrupt. */
        private boolean useOnce(int key, Reservation reservation) {
            try {
                boolean mine = switch (ThreadLocalRandom.current().nextInt(4)) {
                    case 0 -> {
                        reservation.lock();
                        yield true;
                    }
                    case 1 -> {
                        reservation.lockInterruptibly();
                        yield true;
                    }
                    case 2 -> reservation.tryLock(ThreadLocalRandom.current().nextInt(20), TimeUnit.MILLISECONDS);
                    default -> reservation.tryLock();
                };
                if (mine) {
                    enterAndLeave(occupancy.inside.get(key));
                    reservation.unlock();
                }
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        }

        private void enterAndLeave(AtomicInteger inside) {
            acquired++;
            if (inside.incrementAndGet() != 1) {
                occupancy.overlaps.incrementAndGet();
            }
            Thread.yield();
            inside.decrementAndGet();
        }
    }
}
