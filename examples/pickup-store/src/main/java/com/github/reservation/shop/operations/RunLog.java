// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.SourceRun;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The last runs of the job in this instance: the job itself keeps only one of each source. */
@Component
class RunLog {

    private static final int KEPT = 10;

    private final ExpirationJob job;
    private final Map<String, Deque<SourceRun>> runs = new TreeMap<>();

    RunLog(ExpirationJob job) {
        this.job = job;
    }

    @Scheduled(fixedRate = 500)
    void look() {
        job.lastRun().ifPresent(run -> run.sources().forEach(this::add));
    }

    private synchronized void add(SourceRun run) {
        Deque<SourceRun> kept = runs.computeIfAbsent(run.source(), source -> new ArrayDeque<>());
        SourceRun newest = kept.peekFirst();
        if (newest != null && newest.startedAt().equals(run.startedAt())) {
            return;
        }
        kept.addFirst(run);
        if (kept.size() > KEPT) {
            kept.removeLast();
        }
    }

    /** Returns the runs, the newest first. */
    synchronized List<SourceRun> newestFirst() {
        return runs.values().stream().flatMap(Deque::stream)
                .sorted(Comparator.comparing(SourceRun::startedAt).reversed())
                .toList();
    }
}
