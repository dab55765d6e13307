// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.HoldHistory;
import com.github.reservation.contract.HoldHistory.Held;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockOptions;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Nodes that want the same three keys again and again, four threads each, in all ways and with leases of 0.3 to 1.3 s. Some let a
 * lease run out.
 */
final class HotKeys implements AutoCloseable {

    static final List<String> KEYS = List.of("one", "two", "three");

    private static final int THREADS = 4;
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final List<ReservationManager> nodes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final HoldHistory history = new HoldHistory();
    private final List<String> unexplained = new CopyOnWriteArrayList<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final AtomicLong longestTry = new AtomicLong();
    private final boolean mayBeCutOff;
    private volatile boolean over;

    HotKeys(boolean mayBeCutOff, List<HazelcastInstance> instances) {
        this.mayBeCutOff = mayBeCutOff;
        for (HazelcastInstance instance : instances) {
            ReservationManager node =
                    ReservationManager.hazelcast(instance).domain("hot").leaseTime(LEASE).build();
            node.onLost(loss -> count("lost: " + loss.reason()));
            nodes.add(node);
        }
        for (int i = 0; i < nodes.size() * THREADS; i++) {
            int node = i % nodes.size();
            threads.add(Thread.ofPlatform().daemon().name("node-" + node + "-" + i).start(() -> run(node)));
        }
    }

    private void run(int node) {
        while (!over) {
            String key = KEYS.get(ThreadLocalRandom.current().nextInt(KEYS.size()));
            Duration lease = Duration.ofMillis(ThreadLocalRandom.current().nextInt(300, 1300));
            try {
                if (ThreadLocalRandom.current().nextInt(4) == 0) {
                    useHandle(node, key, lease);
                } else {
                    useReservation(node, nodes.get(node).getReservation(key), lease);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e); // Nobody interrupts it.
            } catch (ReservationException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                count("thrown: " + e.getClass().getSimpleName() + ", " + cause.getClass().getSimpleName());
                pause();
            } catch (RuntimeException e) {
                unexplained.add(e.toString());
            }
        }
    }

    private static void pause() throws AssertionError {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void useReservation(int node, Reservation reservation, Duration lease) throws InterruptedException {
        long asked = System.nanoTime();
        if (!acquire(reservation, lease)) {
            return;
        }
        long from = System.nanoTime();
        Duration trust = reservation.getRemainingLeaseTime();
        boolean leaves = ThreadLocalRandom.current().nextInt(50) == 0;
        if (!history.work(node, reservation, asked, leaves ? lease.multipliedBy(2) : someWork())) {
            explain("the loss of " + reservation, from, trust);
        }
        long start = System.nanoTime();
        Duration left = reservation.getRemainingLeaseTime();
        try {
            reservation.unlock();
        } catch (ReservationExpiredException e) {
            explain("the late unlock of " + reservation, start, left);
        }
    }

    private boolean acquire(Reservation reservation, Duration lease) throws InterruptedException {
        switch (ThreadLocalRandom.current().nextInt(3)) {
            case 0 -> reservation.lock(lease);
            case 1 -> {
                return reservation.tryLock(WAIT, lease);
            }
            default -> {
                long start = System.nanoTime();
                boolean acquired = reservation.tryLock();
                longestTry.accumulateAndGet(System.nanoTime() - start, Math::max);
                if (!acquired) {
                    pause();
                }
                return acquired;
            }
        }
        return true;
    }

    private void useHandle(int node, String key, Duration lease) throws InterruptedException {
        long asked = System.nanoTime();
        LockOptions options = LockOptions.defaults().waitTime(WAIT).leaseTime(lease);
        HeldLock lock = nodes.get(node).tryAcquire(key, options);
        if (lock == null) {
            return;
        }
        long from = System.nanoTime();
        Duration trust = lock.remaining();
        OptionalLong fence = lock.fencingToken();
        Duration work = ThreadLocalRandom.current().nextInt(30) == 0 ? lease.multipliedBy(2) : someWork();
        if (!history.work(node, key, fence, asked, lock::isHeld, work)) {
            explain("the loss of " + key, from, trust);
        }
        long start = System.nanoTime();
        Duration left = lock.remaining();
        if (!lock.release()) {
            explain("the late release of " + key, start, left);
        }
    }

    private static Duration someWork() {
        return Duration.ofMillis(ThreadLocalRandom.current().nextInt(30));
    }

    /** Nobody forces an unlock here. So a hold is lost when its time is over, or when its node was cut off. */
    private void explain(String what, long from, Duration trust) {
        Duration time = Duration.ofNanos(System.nanoTime() - from);
        if (time.compareTo(trust) < 0 && !mayBeCutOff) {
            unexplained.add(what + " after " + time + " of " + trust + ", at " + System.nanoTime());
        }
    }

    private void count(String what) {
        counts.computeIfAbsent(what, w -> new LongAdder()).increment();
    }

    List<Held> holds() {
        return history.holds();
    }

    /** Returns how often each node got each key since then. */
    Map<String, Long> shares(long since) {
        Map<String, Long> shares = new TreeMap<>();
        for (int node = 0; node < nodes.size(); node++) {
            for (String key : KEYS) {
                shares.put(key + " by node " + node, 0L);
            }
        }
        history.holds().stream().filter(held -> held.from() - since > 0)
                .forEach(held -> shares.merge(held.key() + " by node " + held.node(), 1L, Long::sum));
        return shares;
    }

    /** Returns what to know of the run, in one line. */
    String summary() {
        Map<String, Long> lastEnd = new HashMap<>();
        long longestGap = 0;
        for (Held held : history.holds()) {
            Long end = lastEnd.put(held.key(), held.to());
            longestGap = Math.max(longestGap, end == null ? 0 : held.from() - end);
        }
        return history.holds().size() + " grants, " + history.overlaps().size() + " overlaps, "
                + history.fencesOutOfOrder().size() + " fences out of order, " + unexplained.size()
                + " unexplained, longest tryLock() " + longestTry.get() / 1_000_000
                + " ms, longest time without a holder "
                + longestGap / 1_000_000 + " ms, " + new TreeMap<>(counts);
    }

    /** Returns how long the longest {@code tryLock()} without a wait has taken. */
    Duration longestTry() {
        return Duration.ofNanos(longestTry.get());
    }

    /** Ends the load: every thread comes to its end, and no key was held twice. */
    void endsWell() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(30))).as("%s is done", thread).isTrue();
        }
        history.assertExclusive();
        assertThat(unexplained).isEmpty();
    }

    @Override
    public void close() {
        over = true;
        nodes.forEach(ReservationManager::close);
    }
}
