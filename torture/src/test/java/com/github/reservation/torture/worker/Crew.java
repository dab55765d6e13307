// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.worker;

import com.github.reservation.torture.history.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The threads of a worker, each of which does its workload again and again until it is told to stop. */
final class Crew {

    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("patience"));

    private final List<Workload> workloads;
    private final Journal journal;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    Crew(List<Workload> workloads, long seed, Journal journal) {
        this.workloads = workloads;
        this.journal = journal;
        SplittableRandom seeds = new SplittableRandom(seed);
        for (Workload workload : workloads) {
            for (int i = 0; i < workload.threads(); i++) {
                SplittableRandom random = seeds.split();
                String name = workload.getClass().getSimpleName() + "-" + i;
                threads.add(Thread.ofPlatform().daemon().name(name).unstarted(() -> work(workload, random)));
            }
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    private void work(Workload workload, SplittableRandom random) {
        while (!stopping) {
            try {
                workload.once(random);
            } catch (Exception | Error e) {
                journal.notes("defect", workload.getClass().getSimpleName(), "error", e, "at",
                        Arrays.stream(e.getStackTrace()).limit(6).toList());
                return;
            }
        }
    }

    /** Waits until no thread works any more; returns those that do not end, each with what it waits for. */
    List<String> stop() throws Exception {
        stopping = true;
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<String> stuck = new ArrayList<>();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                stuck.add(thread.getName() + Arrays.toString(thread.getStackTrace()));
            }
        }
        for (Workload workload : workloads) {
            workload.close();
        }
        return stuck;
    }
}
