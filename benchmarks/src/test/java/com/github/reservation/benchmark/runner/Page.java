// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes what a run has measured, and nothing else, as Markdown with charts. */
final class Page {

    private final Results results;
    private final Path directory;
    private final StringBuilder text = new StringBuilder();

    Page(Results results, Path directory) {
        this.results = results;
        this.directory = directory;
    }

    void write(String name, Plan plan, Machine machine, String took) throws IOException {
        Files.createDirectories(directory);
        line("# Benchmarks");
        paragraph("`mvn -q test-compile exec:exec@benchmarks%s` wrote this page on %s, in %s minutes.%s",
                name.equals("all") ? "" : " -Dplan=" + name, LocalDate.now(ZoneOffset.UTC), took,
                name.equals("all") ? "" : " It measured a part of what there is.");
        paragraph("Machine: %s.", machine);
        paragraph("Versions: %s, %s.", results.versions().entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", ")),
                Versions.ofLibraries());
        howToRead(plan);
        for (Map.Entry<Measure, Map<String, Figures>> entry : results.figures().entrySet()) {
            section(entry.getKey(), entry.getValue());
        }
        jmh();
        participants();
        Files.writeString(directory.resolve("README.md"), text);
    }

    private void howToRead(Plan plan) {
        paragraph("How to read it:");
        paragraph(
                "- Contenders take turns: %d rounds, each with all contenders of a store, so that whatever else the machine does hits all"
                        + " of them. A figure is the median of the rounds [least..greatest]. Where it is otherwise, the section says so.",
                plan.rounds());
        line("- A ratio is to the raw limit of the same store in the same round. For a rate, 1.00 is as good as the limit and less is"
                + " worse. For a time or a count, more is worse. Compare contenders on one store.");
        line("- For a lock that nobody else wants, the limit on a database is two statements, each on the disk before it returns. A"
                + " contender whose unlock does not wait for the disk can be above it.");
        line("- Where nodes want the same key, the limit is the lock that the store itself has. On a database it is in memory, has no"
                + " lease, and needs a connection for each thread that holds or waits.");
        line("- Stores differ in what they promise. A lock in a table survives a restart; a lock on Redis or Hazelcast is in memory.");
    }

    private void section(Measure measure, Map<String, Figures> stores) throws IOException {
        Files.writeString(directory.resolve(measure + ".svg"), Chart.of(measure, stores));
        paragraph("## %s", measure.title());
        paragraph("%s", measure.text());
        paragraph("![%s](%s.svg)", measure.title(), measure);
        paragraph("| store | contender | %s | of the limit |", measure.unit());
        line("|---|---|---|---|");
        stores.forEach((store, figures) -> figures.lines().forEach(line -> line("| %s | %s | %s | %s |", store,
                line.contender().startsWith(Contender.OURS) ? "**" + line.contender() + "**" : line.contender(),
                line.figure(), line.isLimit() ? "the limit" : line.ratio().map(Spread::toString).orElse(""))));
    }

    private void jmh() {
        if (results.jmh().isEmpty()) {
            return;
        }
        Set<String> backends = new LinkedHashSet<>();
        Map<String, Map<String, JmhResult>> operations = new LinkedHashMap<>();
        for (JmhResult result : results.jmh()) {
            backends.add(result.backend());
            operations.computeIfAbsent(result.operation(), o -> new LinkedHashMap<>()).put(result.backend(), result);
        }
        paragraph("## Latency of one call");
        paragraph(
                "JMH samples single calls of one thread for a key that no other thread wants, in microseconds: p50 / p99."
                        + " `hazelcast` is a member in the same JVM, `h2` a database in the memory of the same JVM.");
        table(backends, operations, true);
        paragraph("## Operations a second, and what they allocate");
        paragraph(
                "JMH, operations a second of all threads: the median iteration [least..greatest], and the bytes that the JVM allocates"
                        + " for one operation. With `h2` and `hazelcast`, these include the bytes of the store.");
        table(backends, operations, false);
    }

    private void table(Set<String> backends, Map<String, Map<String, JmhResult>> operations, boolean latencies) {
        paragraph("| | %s |", String.join(" | ", backends));
        line("|---|%s", "---|".repeat(backends.size()));
        operations.forEach((operation, of) -> {
            if (of.values().iterator().next().isLatency() == latencies) {
                line("| %s | %s |", latencies ? "`" + operation + "()`" : operation, backends.stream()
                        .map(backend -> of.containsKey(backend) ? of.get(backend).toString() : "")
                        .collect(Collectors.joining(" | ")));
            }
        });
    }

    private void participants() {
        paragraph("## How the contenders were set up");
        paragraph("| store | contender | set-up |");
        line("|---|---|---|");
        results.participants().forEach(participant -> line("| %s | %s | %s |", participant.store(),
                participant.contender(), participant.setup()));
        paragraph(
                "On a database a node has a HikariCP pool of its own: 16 connections for lock and unlock, 4 when several nodes want one key."
                        + " On MariaDB its URL has `useServerPrepStmts=true`. All nodes run in one JVM. A contender that does not wait for a lock"
                        + " takes no part where nodes want the same key.");
    }

    /** Adds a paragraph. */
    private void paragraph(String format, Object... values) {
        text.append('\n');
        line(format, values);
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
