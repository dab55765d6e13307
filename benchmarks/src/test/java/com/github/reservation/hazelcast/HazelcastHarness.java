// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.harness.Comparison;
import com.github.reservation.harness.Comparison.Cycle;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares a reservation with {@code IMap.lock} and {@code unlock}, the least that a lock on Hazelcast can cost. Rounds of
 * both take turns, so that whatever else the machine does hits both; what counts is the ratio.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@hazelcast}; arguments after {@code -Dmeasure=} choose what to measure.
 */
public final class HazelcastHarness {

    private static final Duration ROUND = Duration.ofMillis(800);
    private static final int ROUNDS = 15;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int HAND_OVERS = 300;
    private static final int MANY = 10_000;
    private static final Duration LEASE = Duration.ofMinutes(1);

    /** A lock on one key, ours or Hazelcast's. */
    private record Key(Runnable lock, Runnable unlock) {}

    /** Locks of one node. */
    @FunctionalInterface
    private interface Node {
        Key key(String name);
    }

    private HazelcastHarness() {}

    public static void main(String[] args) throws Exception {
        List<String> only = List.of(System.getProperty("measure", "throughput,waiting,many,expiry").split(","));
        System.out.println("Against IMap.lock and unlock: median of " + ROUNDS + " rounds [least..greatest]");
        try (MemberProcess member = MemberProcess.toMeasure()) {
            HazelcastInstance one = TestInstances.client(member.port());
            HazelcastInstance two = TestInstances.client(member.port());
            if (only.contains("throughput")) {
                throughput("client", one);
                embedded();
            }
            if (only.contains("waiting")) {
                waiting(one, two);
            }
            if (only.contains("many")) {
                many(one);
            }
            if (only.contains("expiry")) {
                expiry(one, two);
            }
            one.shutdown();
            two.shutdown();
        }
    }

    private static void embedded() throws Exception {
        HazelcastInstance embedded = TestInstances.member();
        throughput("member", embedded);
        embedded.shutdown();
    }

    private static Node raw(HazelcastInstance instance) {
        IMap<String, String> map = instance.getMap("raw");
        return name -> new Key(
                () -> map.lock(name, LEASE.toMillis(), TimeUnit.MILLISECONDS), () -> map.unlock(name));
    }

    private static Node ours(ReservationManager manager) {
        return name -> {
            Reservation reservation = manager.getReservation(name);
            return new Key(reservation::lock, reservation::unlock);
        };
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain("ours").leaseTime(LEASE).build();
    }

    private static void throughput(String name, HazelcastInstance instance) throws Exception {
        try (ReservationManager manager = manager(instance)) {
            Node raw = raw(instance);
            Node ours = ours(manager);
            Comparison.warmUp(WARM_UP_ROUNDS, cycle(raw, false), cycle(ours, false), cycle(raw, true),
                    cycle(ours, true));
            Comparison comparison = new Comparison(ROUNDS);
            for (int threads : new int[]{1, 16}) {
                comparison.run(name + ", same key, threads " + threads, threads, cycle(raw, false), cycle(ours, false));
                comparison.run(name + ", fresh keys, threads " + threads, threads, cycle(raw, true), cycle(ours, true));
            }
        }
    }

    private static Cycle cycle(Node node, boolean fresh) {
        return (thread, number) -> {
            Key key = node.key(fresh ? "thread-" + thread + "-" + number : "thread-" + thread);
            key.lock.run();
            key.unlock.run();
        };
    }

    private static void waiting(HazelcastInstance one, HazelcastInstance two) throws Exception {
        try (ReservationManager first = manager(one);
                ReservationManager second = manager(two)) {
            Key rawHere = raw(one).key("handed");
            Key rawThere = raw(two).key("handed");
            Key here = ours(first).key("handed");
            Key there = ours(second).key("handed");
            double[] raw = new double[ROUNDS];
            double[] ours = new double[ROUNDS];
            handOver(rawHere, rawThere);
            handOver(here, there);
            for (int round = 0; round < ROUNDS; round++) {
                raw[round] = handOver(rawHere, rawThere);
                ours[round] = handOver(here, there);
            }
            show("hand-over p50, microseconds", raw, ours);

            for (int round = 0; round < ROUNDS; round++) {
                Alternation limit = new Alternation(rawHere, rawThere).run();
                Alternation measured = new Alternation(here, there).run();
                raw[round] = limit.changesPerSecond();
                ours[round] = measured.changesPerSecond();
                System.out.println("  two nodes: raw " + limit + ", ours " + measured);
            }
            show("changes of node per second", raw, ours);
        }
    }

    private static void show(String what, double[] raw, double[] ours) {
        Arrays.sort(raw);
        Arrays.sort(ours);
        System.out.printf(
                Locale.ROOT,
                "%-44s %.2f   ours %,.0f [%,.0f..%,.0f]   raw %,.0f [%,.0f..%,.0f]%n",
                what,
                ours[ROUNDS / 2] / raw[ROUNDS / 2],
                ours[ROUNDS / 2],
                ours[0],
                ours[ROUNDS - 1],
                raw[ROUNDS / 2],
                raw[0],
                raw[ROUNDS - 1]);
    }

    /** Returns the median time from before the unlock here to the return of the lock there, in microseconds. */
    private static double handOver(Key here, Key there) throws Exception {
        double[] times = new double[HAND_OVERS];
        for (int i = 0; i < HAND_OVERS; i++) {
            here.lock.run();
            AtomicLong got = new AtomicLong();
            CountDownLatch asks = new CountDownLatch(1);
            Thread waiter = Thread.ofPlatform().daemon().start(() -> {
                asks.countDown();
                there.lock.run();
                got.set(System.nanoTime());
                there.unlock.run();
            });
            asks.await();
            Thread.sleep(3); // So that it waits in the cluster for sure.
            long freed = System.nanoTime();
            here.unlock.run();
            waiter.join();
            times[i] = (got.get() - freed) / 1e3;
        }
        Arrays.sort(times);
        return times[HAND_OVERS / 2];
    }

    /** Two nodes that both take one key, work for a millisecond and give it back, again and again. */
    private static final class Alternation {

        private final List<Key> nodes;
        private final long[] turns = new long[2];
        private final long[] longestWait = new long[2];
        private long changes;
        private int last;
        private double seconds;

        Alternation(Key... nodes) {
            this.nodes = List.of(nodes);
        }

        Alternation run() throws InterruptedException {
            AtomicBoolean over = new AtomicBoolean();
            List<Thread> threads = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 2; i++) {
                int node = i;
                threads.add(Thread.ofPlatform().daemon().start(() -> {
                    while (!over.get()) {
                        turn(node);
                    }
                }));
            }
            Thread.sleep(ROUND);
            over.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            seconds = (System.nanoTime() - start) / 1e9;
            return this;
        }

        private void turn(int node) {
            long asked = System.nanoTime();
            nodes.get(node).lock.run();
            longestWait[node] = Math.max(longestWait[node], System.nanoTime() - asked);
            turns[node]++;
            if (last != node) {
                changes++;
                last = node;
            }
            long end = System.nanoTime() + 1_000_000;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            nodes.get(node).unlock.run();
        }

        double changesPerSecond() {
            return changes / seconds;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.0f changes/s, share %.2f, longest wait %.1f ms",
                    changesPerSecond(),
                    turns[0] / (double) (turns[0] + turns[1]),
                    Math.max(longestWait[0], longestWait[1]) / 1e6);
        }
    }

    private static void many(HazelcastInstance instance) throws Exception {
        try (ReservationManager manager = manager(instance)) {
            hold("raw", raw(instance));
            hold("ours", ours(manager));
            hold("raw", raw(instance));
            hold("ours", ours(manager));
        }
    }

    private static void hold(String name, Node node) throws Exception {
        long before = usedHeap();
        List<Key> held = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Key key = node.key("many-" + i);
            key.lock.run();
            held.add(key);
        }
        Thread.sleep(3000); // Until all of them are described.
        long heap = usedHeap() - before;
        long start = System.nanoTime();
        held.forEach(key -> key.unlock.run());
        System.out.printf(
                Locale.ROOT,
                "%-44s heap %.1f MB, released in %.2f s%n",
                name + ", " + MANY + " locks held",
                heap / 1e6,
                (System.nanoTime() - start) / 1e9);
    }

    private static long usedHeap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** How long after its end a lease that nobody released is another node's, counted as its holder does: from before. */
    private static void expiry(HazelcastInstance one, HazelcastInstance two) throws Exception {
        for (int millis : new int[]{300, 1000, 1700}) {
            double[] late = new double[20];
            try (ReservationManager first = manager(one);
                    ReservationManager second = manager(two)) {
                for (int i = 0; i < late.length; i++) {
                    String name = "forgotten-" + millis + "-" + i;
                    long asked = System.nanoTime();
                    first.getReservation(name).tryLock(Duration.ZERO, Duration.ofMillis(millis));
                    second.getReservation(name).lock();
                    late[i] = (System.nanoTime() - asked) / 1e6 - millis;
                    second.getReservation(name).unlock();
                }
            }
            Arrays.sort(late);
            System.out.printf(
                    Locale.ROOT,
                    "%-44s %.1f ms late [%.1f..%.1f]%n",
                    "lease of " + millis + " ms that nobody releases",
                    late[late.length / 2],
                    late[0],
                    late[late.length - 1]);
        }
    }
}
