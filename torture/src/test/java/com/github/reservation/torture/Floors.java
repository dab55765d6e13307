// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * <b>not-vacuous</b>: a run in which too little happened is no proof, and fails. The floors are far below what happens even on a busy machine.
 */
final class Floors {

    /** How much a minute must bring, by workload. */
    private static final Map<String, Map<String, Integer>> OF_A_MINUTE = Map.of(
            "locks", Map.of(
                    "grants", 1_000, "contended grants", 100, "faults that hit a holder", 2, "losses", 1,
                    "refusals", 5),
            "claims", Map.of("claims", 1_000, "claims-granted", 100, "claims-confirmed", 10),
            "stock", Map.of("expired", 500),
            "events", Map.of("delivered", 500));

    private static final int FAULTS_OF_A_MINUTE = 4;

    /** How much each run of so many minutes must bring: it is too rare for one. */
    private static final int LONG = 2;
    private static final Map<String, Integer> OF_LONG_RUNS =
            Map.of("lost replies", 1, "locks of killed holders", 1, "late writes that fencing stopped", 1);

    private Floors() {}

    /** Returns what was too little. */
    static Verdict of(Plan plan, List<Verdict> verdicts) {
        Map<String, Long> counts = new HashMap<>();
        verdicts.forEach(verdict -> verdict.counts().forEach((name, count) -> counts.merge(name, count, Long::sum)));
        Map<String, Integer> floors = new HashMap<>();
        plan.workloads().forEach(workload -> floors.putAll(OF_A_MINUTE.get(workload)));
        List<Finding> findings = new ArrayList<>();
        floors.forEach((name, floor) -> require(
                name, Math.ceilDiv(floor * plan.time().toSeconds(), 60L), counts, findings));
        require("faults", Math.ceilDiv(FAULTS_OF_A_MINUTE * plan.time().toSeconds(), 60L), counts, findings);
        require("workers that stopped", Plan.WORKERS, counts, findings);
        if (plan.time().toMinutes() >= LONG && plan.workloads().contains("locks")) {
            OF_LONG_RUNS.forEach((name, floor) -> require(name, floor, counts, findings));
        }
        return new Verdict(findings, Map.of());
    }

    private static void require(String name, long floor, Map<String, Long> counts, List<Finding> findings) {
        long count = counts.getOrDefault(name, 0L);
        if (count < floor) {
            findings.add(
                    new Finding("not-vacuous", "only " + count + " " + name + ", at least " + floor + " are needed"));
        }
    }
}
