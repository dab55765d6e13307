// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compares how often two things can be done in a second. Rounds of both take turns, so that whatever else the machine does hits
 * both; what counts is the ratio.
 *
 * @param rounds how many ratios there are to take the median of
 */
public record Comparison(int rounds) {

    private static final Duration ROUND = Duration.ofMillis(800);

    /** One lock and unlock, or what stands for it; the number is different for each thread and grows. */
    @FunctionalInterface
    public interface Cycle {
        void run(int thread, long number) throws Exception;
    }

    /** What is done before each round, and not measured. */
    @FunctionalInterface
    public interface Preparation {
        void run() throws Exception;
    }

    /** Runs what is compared until the JVM has compiled it: one thread alone takes long for that where the store is slow. */
    public static void warmUp(int times, Cycle... cycles) throws Exception {
        AtomicLong numbers = new AtomicLong(Long.MAX_VALUE / 2);
        for (int time = 0; time < times; time++) {
            for (Cycle cycle : cycles) {
                rate(16, cycle, numbers, ROUND);
            }
        }
    }

    /** Prints the median of the ratios, and the least and the greatest. */
    public void run(String name, int threads, Cycle limit, Cycle ours) throws Exception {
        run(name, threads, limit, ours, () -> {});
    }

    /** Does the same, each round with a fresh start. */
    public void run(String name, int threads, Cycle limit, Cycle ours, Preparation startOver) throws Exception {
        AtomicLong numbers = new AtomicLong();
        rate(threads, limit, numbers, ROUND);
        rate(threads, ours, numbers, ROUND);
        double[] ratios = new double[rounds];
        double[] limits = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            startOver.run();
            double before = rate(threads, limit, numbers, ROUND);
            double measured = rate(threads, ours, numbers, ROUND);
            double after = rate(threads, limit, numbers, ROUND);
            limits[round] = (before + after) / 2;
            ratios[round] = measured / limits[round];
        }
        Arrays.sort(ratios);
        Arrays.sort(limits);
        System.out.printf(
                Locale.ROOT,
                "%-48s %.2f [%.2f..%.2f]   limit %,.0f/s%n",
                name,
                ratios[rounds / 2],
                ratios[0],
                ratios[rounds - 1],
                limits[rounds / 2]);
    }

    /** Returns the cycles per second of all threads together. */
    public static double rate(int threads, Cycle cycle, AtomicLong numbers, Duration duration) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        LongAdder cycles = new LongAdder();
        try (ExecutorService running = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> futures = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                futures.add(running.submit(() -> {
                    while (!over.get()) {
                        cycle.run(thread, numbers.incrementAndGet());
                        cycles.increment();
                    }
                    return null;
                }));
            }
            Thread.sleep(duration);
            over.set(true);
            for (Future<?> future : futures) {
                future.get();
            }
            return cycles.sum() * 1e9 / (System.nanoTime() - start);
        }
    }
}
