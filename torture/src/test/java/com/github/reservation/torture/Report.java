// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.locks.Recovery;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came out of a run.
 *
 * @param findings the promises that were broken, and the floors that were not reached
 * @param counts what was looked at
 */
record Report(Plan plan, List<Finding> findings, Map<String, Long> counts, List<Recovery> recoveries) {

    static Report of(Plan plan, List<Verdict> verdicts, Faults faults, List<Recovery> recoveries) {
        Map<String, Long> counts = new TreeMap<>();
        List<Finding> findings = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            findings.addAll(verdict.findings());
            verdict.counts().forEach((name, count) -> counts.merge(name, count, Long::sum));
        }
        faults.all().stream().collect(Collectors.groupingBy(Call::key, Collectors.counting()))
                .forEach((kind, count) -> counts.put("faults: " + kind, count));
        return new Report(plan, findings, counts, recoveries);
    }

    boolean hasFound(String rule) {
        return findings.stream().anyMatch(finding -> finding.rule().equals(rule));
    }

    long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    /** Returns all of it, for people. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append("store ").append(plan.store()).append(", seed ").append(plan.seed()).append(", ")
                .append(plan.time().toSeconds()).append(" s").append(", workloads ")
                .append(String.join(", ", plan.workloads()))
                .append(plan.planted().map(bug -> ", with the bug " + bug).orElse("")).append('\n');
        counts.forEach((name, count) -> text.append(String.format(Locale.ROOT, "  %-44s %,12d%n", name, count)));
        if (!recoveries.isEmpty()) {
            text.append("recovery: ms to the next grant, and share of time with grants before, during and after\n");
        }
        recoveries.forEach(one -> text.append(String.format(
                Locale.ROOT, "  %-20s %4d times, median %6d, most %6d, %4.2f %4.2f %4.2f%n",
                one.kind(), one.faults(), one.median(), one.most(), one.before(), one.during(), one.after())));
        text.append(findings.isEmpty() ? "no finding\n" : findings.size() + " findings\n");
        findings.stream().collect(Collectors.groupingBy(Finding::rule, TreeMap::new, Collectors.toList()))
                .forEach((rule, all) -> {
                    text.append("  ").append(rule).append(": ").append(all.size()).append('\n');
                    all.stream().limit(5)
                            .forEach(finding -> text.append("    ").append(finding.details()).append('\n'));
                });
        return text.append("again: ").append(plan.command()).append('\n').toString();
    }
}
