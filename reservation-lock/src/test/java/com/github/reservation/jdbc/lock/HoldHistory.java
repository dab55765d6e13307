// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Who held a key, and from when to when the holder could trust it. */
final class HoldHistory {

    /**
     * One hold.
     *
     * @param asked when it was asked for
     * @param from when the holder was told that it has the key
     * @param to when the holder last saw that it still has it
     */
    record Held(int node, long fence, long asked, long from, long to) {

        long waited() {
            return from - asked;
        }
    }

    private final Queue<Held> holds = new ConcurrentLinkedQueue<>();

    /** Locks, works, unlocks, and writes down what it saw. */
    void hold(int node, Reservation reservation, Runnable work) {
        long asked = System.nanoTime();
        reservation.lock();
        long from = System.nanoTime();
        try {
            work.run();
            long to = System.nanoTime();
            assertThat(reservation.isHeldByCurrentThread()).isTrue();
            holds.add(new Held(node, reservation.fencingToken().orElseThrow(), asked, from, to));
        } finally {
            reservation.unlock();
        }
    }

    /** Returns the holds, in the order of their fences. */
    List<Held> holds() {
        return holds.stream().sorted(Comparator.comparingLong(Held::fence)).toList();
    }

    /** Checks that no two holds overlap, and that whoever came later has the greater fence. */
    void assertExclusive() {
        List<Held> ordered = holds();
        for (int i = 1; i < ordered.size(); i++) {
            Held earlier = ordered.get(i - 1);
            Held later = ordered.get(i);
            assertThat(later.fence()).isGreaterThan(earlier.fence());
            assertThat(later.from() - earlier.to())
                    .as("nanoseconds between %s and %s", earlier, later)
                    .isNotNegative();
        }
    }
}
