// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import static com.github.reservation.torture.nemesis.FaultKind.between;

import com.github.reservation.torture.history.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Makes faults until it is closed: one, sometimes two at once, and then a pause. The same seed gives the same faults in the same order,
 * because all of it is drawn by one thread, and nothing that happens has any influence.
 */
public final class Nemesis implements AutoCloseable {

    private final RandomGenerator random;
    private final List<FaultKind> kinds;
    private final Journal journal;
    private final int longestPause;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    /** A fault, and how long after the first one of its round it strikes. */
    record Planned(String kind, Fault fault, Duration after) {}

    /** Prepares one that does nothing until it is started. */
    public Nemesis(long seed, List<FaultKind> kinds, Journal journal) {
        this(seed, kinds, journal, Duration.ofSeconds(4));
    }

    /** Prepares one that pauses for a quarter of this time at least. */
    Nemesis(long seed, List<FaultKind> kinds, Journal journal, Duration longestPause) {
        this.random = new SplittableRandom(seed);
        this.kinds = List.copyOf(kinds);
        this.journal = journal;
        this.longestPause = (int) longestPause.toMillis();
        this.thread = Thread.ofPlatform().daemon().name("nemesis").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!kinds.isEmpty() && failure.get() == null
                    && !stop.await(pause().toMillis(), TimeUnit.MILLISECONDS)) {
                List<Thread> round = new ArrayList<>();
                for (Planned planned : draw()) {
                    round.add(Thread.ofVirtual().start(() -> play(planned)));
                }
                for (Thread fault : round) {
                    fault.join();
                }
            }
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private Duration pause() {
        return between(random, longestPause / 4, longestPause);
    }

    List<Planned> draw() {
        Planned first = draw(Duration.ZERO);
        if (random.nextInt(4) > 0) {
            return List.of(first);
        }
        Planned second = draw(between(random, 0, 1000));
        // The members of a cluster and the workers share wires: the end of one fault would be that of the other, too.
        boolean apart = !first.fault().victim().equals(second.fault().victim())
                && !first.fault().victim().equals("cluster") && !second.fault().victim().equals("cluster");
        return apart ? List.of(first, second) : List.of(first);
    }

    private Planned draw(Duration after) {
        int ticket = random.nextInt(kinds.stream().mapToInt(FaultKind::weight).sum());
        for (FaultKind kind : kinds) {
            ticket -= kind.weight();
            if (ticket < 0) {
                return new Planned(kind.name(), kind.draw().apply(random), after);
            }
        }
        throw new AssertionError("A ticket beyond all weights");
    }

    private void play(Planned planned) {
        try {
            if (stop.await(planned.after().toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            Fault fault = planned.fault();
            journal.calls("fault", planned.kind(), facts(fault));
            try {
                fault.strike().run();
                stop.await(fault.length().toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                fault.heal().run();
            }
            journal.returns("healed");
        } catch (Exception | Error e) {
            journal.returns("failed", "why", e);
            failure.compareAndSet(null, new IllegalStateException("The fault " + planned + " went wrong", e));
        }
    }

    private static Object[] facts(Fault fault) {
        List<Object> facts = new ArrayList<>(
                List.of("victim", fault.victim(), "length", fault.length().toMillis()));
        for (Map.Entry<String, Object> fact : fault.facts().entrySet()) {
            facts.add(fact.getKey());
            facts.add(fact.getValue());
        }
        return facts.toArray();
    }

    /**
     * Heals everything at once, and returns when it has.
     *
     * @throws IllegalStateException if a fault could not be made or healed: the run proves nothing then
     */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while faults heal", e);
        }
        if (failure.get() != null) {
            throw new IllegalStateException("A fault could not be made or healed", failure.get());
        }
    }
}
