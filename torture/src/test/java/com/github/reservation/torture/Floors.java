// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.torture.check.Faults;
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

    /** What must have happened at least once, if there were some faults of a kind: what each of them brings is too rare. */
    private static final Map<String, String> OF_FAULTS =
            Map.of("lost replies", "drop-reply", "locks of killed holders", "kill");
    private static final int SOME = 4;

    private Floors() {}

    /** Returns what was too little. */
    static Verdict of(Plan plan, List<Verdict> verdicts, Faults faults) {
        Map<String, Long> counts = new HashMap<>();
        verdicts.forEach(verdict -> verdict.counts().forEach((name, count) -> counts.merge(name, count, Long::sum)));
        Map<String, Integer> floors = new HashMap<>();
        plan.workloads().forEach(workload -> floors.putAll(OF_A_MINUTE.get(workload)));
        List<Finding> findings = new ArrayList<>();
        floors.forEach((name, floor) -> require(
                name, Math.ceilDiv(floor * plan.time().toSeconds(), 60L), counts, findings));
        require("faults", Math.ceilDiv(FAULTS_OF_A_MINUTE * plan.time().toSeconds(), 60L), counts, findings);
        require("workers that stopped", Plan.WORKERS, counts, findings);
        if (plan.workloads().contains("locks") && !plan.store().equals("hazelcast")) { // Its client sends lost requests again.
            OF_FAULTS.forEach((name, kind) -> require(name, faults.of(kind).size() >= SOME ? 1 : 0, counts, findings));
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
