// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Shows what a reservation does for you, in a few seconds: {@code mvn -q test-compile exec:exec@demo}. */
public final class TwoNodes {

    /** Kept here, or it could be collected with its level. */
    private static final Logger LIBRARY_LOG = Logger.getLogger("com.github.reservation");

    private static final int THREADS_PER_NODE = 3;
    private static final int ROUNDS = 4;
    private static final Duration WORK = Duration.ofMillis(60);
    private static final Duration SHORT_LEASE = Duration.ofMillis(1500);

    private final Screen screen = new Screen();
    private final ReservationManager nodeA;
    private final ReservationManager nodeB;

    private TwoNodes(ReservationManager nodeA, ReservationManager nodeB) {
        this.nodeA = nodeA;
        this.nodeB = nodeB;
    }

    public static void main(String[] args) throws Exception {
        silenceTheLog();
        InMemoryStore store = new InMemoryStore();
        try (ReservationManager nodeA = node(store);
                ReservationManager nodeB = node(store)) {
            TwoNodes demo = new TwoNodes(nodeA, nodeB);
            demo.screen.title("Everything you hold has an end: two nodes, one store, one order at a time.");
            demo.everybodyWantsTheSameOrder();
            demo.aHolderCrashes();
            demo.aHolderIsTooSlow();
        }
    }

    /** The losses are shown on the screen; the library would log them as well. */
    private static void silenceTheLog() {
        LIBRARY_LOG.setLevel(Level.OFF);
    }

    private static ReservationManager node(InMemoryStore store) {
        return ReservationManager.inMemory(store).domain("orders").build();
    }

    private void everybodyWantsTheSameOrder() throws Exception {
        screen.act(
                "1. Everybody wants order 42",
                "%d threads on each node, %d turns each, %d ms of work per turn.",
                THREADS_PER_NODE,
                ROUNDS,
                WORK.toMillis());
        Turns turns = new Turns(screen, WORK);

        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= THREADS_PER_NODE; i++) {
            threads.add(start("A", i, () -> turns.take("A", nodeA.getReservation("42"), ROUNDS)));
            threads.add(start("B", i, () -> turns.take("B", nodeB.getReservation("42"), ROUNDS)));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        turns.sumUp(2 * THREADS_PER_NODE * ROUNDS);
    }

    private void aHolderCrashes() throws Exception {
        screen.act(
                "2. The holder of order 43 crashes",
                "Nobody unlocks. The lease of %d ms ends all the same.",
                SHORT_LEASE.toMillis());
        nodeA.onLost(lost -> screen.loss("A", lost));
        long[] asked = new long[1];

        Thread crashing = start("A", 1, () -> {
            Reservation order = nodeA.getReservation("43");
            asked[0] = System.nanoTime();
            order.tryLock(Duration.ZERO, SHORT_LEASE);
            screen.good("A", "gets order 43, token %d", order.fencingToken().getAsLong());
            screen.bad("A", "ends without unlock");
        });
        crashing.join();
        Thread waiting = start("B", 1, () -> {
            Reservation order = nodeB.getReservation("43");
            screen.say("B", "waits for order 43");
            order.lock();
            double late = (System.nanoTime() - asked[0] - SHORT_LEASE.toNanos()) / 1e6;
            screen.good("B", "gets order 43, token %d", order.fencingToken().getAsLong());
            order.unlock();
            screen.result("B got the order %.1f ms after the lease had ended.", late);
        });
        waiting.join();
    }

    private void aHolderIsTooSlow() throws Exception {
        screen.act(
                "3. The holder of order 44 is too slow",
                "It is told before anybody else gets the order, and its late write is rejected.");
        nodeA.onLost(lost -> lost.thread().interrupt());
        TooSlow act = new TooSlow(screen);

        Thread slow = start("A", 1, () -> act.slow("A", nodeA.getReservation("44"), SHORT_LEASE));
        Thread next = start("B", 1, () -> act.next("B", nodeB.getReservation("44")));
        slow.join();
        next.join();

        act.sumUp();
    }

    private static Thread start(String node, int number, Work work) {
        return Thread.ofPlatform().name(node + number).start(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException("Nobody should interrupt this thread now", e);
            }
        });
    }

    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException;
    }
}
