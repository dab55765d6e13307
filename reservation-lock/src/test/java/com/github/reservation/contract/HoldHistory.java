// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Who held which key, and from when to when the holder could trust it. All times are of {@link System#nanoTime()}. */
public final class HoldHistory {

    /**
     * One hold.
     *
     * @param fence empty if the backend has no tokens
     * @param asked when it was asked for
     * @param from when the holder was told that it has the key
     * @param to when the holder last saw that it still has it
     */
    public record Held(String key, int node, OptionalLong fence, long asked, long from, long to) {

        public long waited() {
            return from - asked;
        }
    }

    private static final long LOOK = 1_000_000;

    private final Queue<Held> holds = new ConcurrentLinkedQueue<>();

    /** Locks, works, unlocks, and writes down what it saw. The hold must outlive the work. */
    public void hold(int node, Reservation reservation, Runnable work) {
        long asked = System.nanoTime();
        reservation.lock();
        long from = System.nanoTime();
        try {
            OptionalLong fence = reservation.fencingToken();
            work.run();
            long to = System.nanoTime();
            assertThat(reservation.isHeldByCurrentThread()).isTrue();
            holds.add(new Held(reservation.getIdentifier(), node, fence, asked, from, to));
        } finally {
            reservation.unlock();
        }
    }

    /** Works on what this thread has just got, as long as it may trust it; returns whether that was for the whole time. */
    public boolean work(int node, Reservation reservation, long asked, Duration time) {
        OptionalLong fence = reservation.fencingToken();
        return work(node, reservation.getIdentifier(), fence, asked, reservation::isHeldByCurrentThread, time);
    }

    public boolean work(
            int node, String key, OptionalLong fence, long asked, BooleanSupplier trusted, Duration time) {
        long from = System.nanoTime();
        long to = from;
        long now = from;
        boolean isTrusted = trusted.getAsBoolean();
        while (isTrusted && now - from < time.toNanos()) {
            LockSupport.parkNanos(LOOK);
            now = System.nanoTime();
            isTrusted = trusted.getAsBoolean();
            to = isTrusted ? now : to;
        }
        if (now > from || isTrusted) {
            holds.add(new Held(key, node, fence, asked, from, to));
        }
        return isTrusted;
    }

    /** Returns the holds, in the order in which they began. */
    public List<Held> holds() {
        return holds.stream().sorted(Comparator.comparingLong(Held::from)).toList();
    }

    /** Returns each hold that began while another one of the same key was trusted, with that one. */
    public List<List<Held>> overlaps() {
        List<List<Held>> overlaps = new ArrayList<>();
        Map<String, Held> lasting = new HashMap<>();
        for (Held later : holds()) {
            Held earlier = lasting.getOrDefault(later.key(), later);
            if (later != earlier && later.from() < earlier.to()) {
                overlaps.add(List.of(earlier, later));
            }
            lasting.put(later.key(), later.to() >= earlier.to() ? later : earlier);
        }
        return overlaps;
    }

    /** Returns each hold whose fence is not above that of the hold of the same key before it, with that one. */
    public List<List<Held>> fencesOutOfOrder() {
        List<List<Held>> outOfOrder = new ArrayList<>();
        Map<String, Held> last = new HashMap<>();
        for (Held later : holds()) {
            Held earlier = last.put(later.key(), later);
            if (earlier != null && later.fence().isPresent()
                    && later.fence().getAsLong() <= earlier.fence().orElse(Long.MIN_VALUE)) {
                outOfOrder.add(List.of(earlier, later));
            }
        }
        return outOfOrder;
    }

    /** Checks that no two holds of a key overlap, and that a later one has a greater fence, where there are fences. */
    public void assertExclusive() {
        assertThat(overlaps()).as("two trusting holders of one key").isEmpty();
        assertThat(fencesOutOfOrder()).as("fences that do not grow").isEmpty();
    }
}
