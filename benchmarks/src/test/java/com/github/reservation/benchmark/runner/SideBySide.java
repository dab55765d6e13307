// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.github.reservation.harness.Comparison;
import com.github.reservation.harness.Comparison.Cycle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the contenders on a store in turns: each round runs all of them, and each round starts with another one, so that whatever else
 * the machine does hits all of them.
 */
final class SideBySide {

    /** How often a run shows its progress. */
    static final int STEPS = 4;
    /** How long the lease of a node that dies is. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final int THREADS = 16;
    private static final int NODES = 4;
    private static final int CONNECTIONS_OF_A_NODE = 4;
    private static final int WAITING_NODES = 50;
    private static final int STEADY_ROUNDS = 3;
    private static final Duration STEADY = Duration.ofSeconds(3);
    private static final Duration LOOP = Duration.ofMillis(1500);

    private final Store store;
    private final Plan plan;
    private final Results results;
    private final Progress progress;
    private int keys;

    SideBySide(Store store, Plan plan, Results results, Progress progress) {
        this.store = store;
        this.plan = plan;
        this.results = results;
        this.progress = progress;
    }

    void run() throws Exception {
        store.contenders().stream()
                .filter(contender -> !Collections.disjoint(contender.measures(), plan.measures()))
                .forEach(contender -> results.participants()
                        .add(new Results.Participant(store.name(), contender.name(), contender.setup())));
        uncontended();
        contended();
        takeOver();
        steady();
    }

    private List<Contender> contenders(Measure measure) {
        return plan.measures().contains(measure)
                ? store.contenders().stream().filter(contender -> contender.measures().contains(measure)).toList()
                : List.of();
    }

    private void add(Measure measure, Contender contender, double figure) {
        if (plan.measures().contains(measure)) {
            Figures figures = results.of(measure, store.name());
            if (contender.limitOf().contains(measure)) {
                figures.addLimit(contender.name(), figure);
            } else {
                figures.add(contender.name(), figure);
            }
        }
    }

    /** One thing that is done with a contender in a round. */
    @FunctionalInterface
    private interface Turn {
        void run(Contender contender) throws Exception;
    }

    private void inTurns(List<Contender> contenders, int rounds, Turn turn) throws Exception {
        List<Contender> order = new ArrayList<>(contenders);
        for (int round = 0; round < rounds; round++) {
            for (Contender contender : order) {
                turn.run(contender);
            }
            Collections.rotate(order, -1);
        }
    }

    private void uncontended() throws Exception {
        progress.next(store.name() + ": lock and unlock");
        for (Measure measure : Measure.UNCONTENDED) {
            Map<String, Node> nodes = new LinkedHashMap<>();
            for (Contender contender : contenders(measure)) {
                nodes.put(contender.name(), contender.nodes().open(THREADS));
            }
            AtomicLong numbers = new AtomicLong();
            boolean fresh = measure == Measure.NEW_KEYS;
            int warmUp = measure == Measure.SAME_KEY ? store.warmUpRounds() : 1;
            inTurns(contenders(measure), warmUp, contender -> {
                store.startOver();
                Comparison.rate(THREADS, cycle(nodes.get(contender.name()), fresh), numbers, plan.round());
            });
            int threads = measure == Measure.DISTINCT_KEYS ? THREADS : 1;
            inTurns(contenders(measure), plan.rounds(), contender -> {
                store.startOver();
                add(measure, contender,
                        Comparison.rate(threads, cycle(nodes.get(contender.name()), fresh), numbers, plan.round()));
            });
            close(nodes.values());
        }
    }

    private static Cycle cycle(Node node, boolean fresh) {
        return (thread, number) -> {
            Key key = node.key(fresh ? "new-" + thread + "-" + number : "same-" + thread);
            key.lock();
            key.unlock();
        };
    }

    private void contended() throws Exception {
        progress.next(store.name() + ": several nodes want one key");
        if (Collections.disjoint(plan.measures(), Measure.CONTENDED)) {
            return;
        }
        List<Contender> contenders = store.contenders().stream()
                .filter(contender -> contender.measures().contains(Measure.CROWD)).toList();
        Map<String, List<Node>> nodes = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            nodes.put(contender.name(), open(contender, NODES));
        }
        inTurns(contenders, 1, contender -> contention(nodes.get(contender.name())).loop(LOOP));
        inTurns(contenders, plan.rounds(), contender -> contend(contender, contention(nodes.get(contender.name()))));
        for (List<Node> opened : nodes.values()) {
            close(opened);
        }
    }

    private Contention contention(List<Node> nodes) {
        return new Contention(nodes, "contended-" + keys++);
    }

    private void contend(Contender contender, Contention contention) throws Exception {
        Contention.Loop loop = contention.loop(LOOP);
        add(Measure.LOCKS, contender, loop.locksPerSecond());
        add(Measure.CHANGES, contender, loop.changesPerSecond());
        add(Measure.LONGEST_WAIT, contender, loop.longestWait());
        add(Measure.HAND_OVER, contender, contention.handOver(15));
        long before = store.statements().orElse(0);
        add(Measure.CROWD, contender, contention.crowd(Executors.newCachedThreadPool(), NODES, 25));
        if (store.statements().isPresent()) {
            add(Measure.STATEMENTS, contender, (store.statements().getAsLong() - before) / 100.0);
        }
        if (plan.measures().contains(Measure.WAITERS)) {
            add(Measure.WAITERS, contender,
                    contention.crowd(Executors.newVirtualThreadPerTaskExecutor(), 2, 500));
        }
    }

    private static List<Node> open(Contender contender, int count) throws Exception {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Node node = contender.nodes().open(CONNECTIONS_OF_A_NODE);
            Key key = node.key("warm");
            key.lock();
            key.unlock();
            nodes.add(node);
        }
        return nodes;
    }

    /** All at the same time: they do nothing but wait. */
    private void takeOver() throws Exception {
        progress.next(store.name() + ": take-over of a dead lease");
        List<Contender> contenders = contenders(Measure.TAKE_OVER);
        for (int round = 0; round < (contenders.isEmpty() ? 0 : plan.rounds()); round++) {
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                Map<Contender, Future<Double>> running = new LinkedHashMap<>();
                for (Contender contender : contenders) {
                    running.put(contender, threads.submit(takeOver(open(contender, 2), "dead-" + keys++)));
                }
                for (Map.Entry<Contender, Future<Double>> entry : running.entrySet()) {
                    add(Measure.TAKE_OVER, entry.getKey(), entry.getValue().get());
                }
            }
            results.of(Measure.TAKE_OVER, store.name()).addLimit("the lease itself", LEASE.toMillis());
        }
    }

    private static Callable<Double> takeOver(List<Node> nodes, String name) {
        return () -> {
            Key key = nodes.get(1).key(name);
            long start = System.nanoTime();
            nodes.get(0).leases().lockAndDie(name, LEASE);
            key.lock();
            double millis = (System.nanoTime() - start) / 1e6;
            key.unlock();
            close(nodes);
            return millis;
        };
    }

    private void steady() throws Exception {
        progress.next(store.name() + ": many nodes wait for a held key");
        inTurns(contenders(Measure.STEADY), Math.min(STEADY_ROUNDS, plan.rounds()), contender -> {
            List<Node> nodes = open(contender, WAITING_NODES + 1);
            String name = "held-" + keys++;
            Key held = nodes.getLast().key(name);
            held.lock();
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                List<Future<?>> waiting = new ArrayList<>();
                for (Node node : nodes.subList(0, WAITING_NODES)) {
                    waiting.add(threads.submit(() -> {
                        Key key = node.key(name);
                        key.lock();
                        key.unlock();
                        return null;
                    }));
                }
                Thread.sleep(STEADY);
                long before = store.statements().orElseThrow();
                Thread.sleep(STEADY);
                add(Measure.STEADY, contender,
                        (store.statements().orElseThrow() - before) / (double) STEADY.toSeconds());
                held.unlock();
                for (Future<?> thread : waiting) {
                    thread.get();
                }
            }
            close(nodes);
        });
    }

    private static void close(Iterable<Node> nodes) throws Exception {
        for (Node node : nodes) {
            node.close();
        }
    }
}
