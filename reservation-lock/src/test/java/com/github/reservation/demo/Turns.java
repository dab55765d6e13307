// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.Reservation;
import java.time.Duration;

/**
 * Takes turns on one order and keeps the score. Nothing here is synchronized, atomic or volatile: the reservation alone
 * keeps the threads apart. If it did not, the counter would lose turns.
 */
final class Turns {

    private final Screen screen;
    private final Duration work;

    private int counted;
    private int changesOfNode;
    private int handOvers;
    private double slowestHandOver;
    private String lastNode = "";
    private long lastUnlock;

    Turns(Screen screen, Duration work) {
        this.screen = screen;
        this.work = work;
    }

    void take(String node, Reservation order, int rounds) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            order.lock();
            try {
                begin(node, order);
                int before = counted;
                Thread.sleep(work);
                counted = before + 1;
                lastNode = node;
                lastUnlock = System.nanoTime();
            } finally {
                order.unlock();
            }
        }
    }

    private void begin(String node, Reservation order) {
        long token = order.fencingToken().getAsLong();
        if (lastNode.isEmpty()) {
            screen.good(node, "gets order 42, token %3d", token);
            return;
        }
        double handOver = (System.nanoTime() - lastUnlock) / 1e6;
        handOvers++;
        slowestHandOver = Math.max(slowestHandOver, handOver);
        if (!lastNode.equals(node)) {
            changesOfNode++;
        }
        screen.good(node, "gets order 42, token %3d   hand-over %6.2f ms", token, handOver);
    }

    void sumUp(int expected) {
        screen.result(
                "The node changed at %d of %d hand-overs; the slowest took %.2f ms.",
                changesOfNode,
                handOvers,
                slowestHandOver);
        screen.result("Nobody overlapped: a plain counter, read before the work and written after it,");
        screen.result("counted %d of %d turns.", counted, expected);
        if (counted != expected) {
            throw new IllegalStateException("Somebody overlapped");
        }
    }
}
