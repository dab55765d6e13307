// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.torture.planted.Planted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Tortures the library on one store after the other. {@code -Dminutes} is the time for all of them together, {@code -Dseed} repeats the
 * faults of a run, {@code -Dbackends} names stores, and {@code -Dplanted} a bug to look for, or {@code all} bugs. {@code -Dfaults} and
 * {@code -Dworkloads} name some of them. The process ends with 1 if a promise was broken, if a run was too quiet to prove anything, or if a
 * planted bug was not found.
 */
public final class Torture {

    /** What {@code -Dbackends} means if it is empty. The replicated ones must be named: they take a server more. */
    private static final List<String> STORES = List.of("postgresql", "mariadb", "mysql", "h2", "hazelcast");

    private static final Duration TIME_FOR_A_BUG = Duration.ofSeconds(20);

    private Torture() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        long seed = Long.getLong("seed", 0);
        if (seed == 0) {
            seed = ThreadLocalRandom.current().nextInt(1, 1_000_000);
        }
        String planted = System.getProperty("planted", "");
        boolean good = planted.isBlank() ? torture(directory, seed) : plant(directory, seed, planted);
        System.exit(good ? 0 : 1);
    }

    private static List<String> stores() {
        // The servers of tests look at this property, too, and do not know all of our names.
        String named = Optional.ofNullable(System.clearProperty("backends")).orElse("");
        if (!named.isBlank()) {
            return Arrays.asList(named.split(","));
        }
        return STORES.stream().filter(store -> Availability.of(store).map(why -> {
            System.out.println(store + " is left out: " + why);
            return false;
        }).orElse(true)).toList();
    }

    private static boolean torture(Path directory, long seed) throws Exception {
        List<String> stores = stores();
        Duration time = Duration.ofMinutes(Long.getLong("minutes", 10)).dividedBy(stores.size());
        List<Report> reports = new ArrayList<>();
        for (String store : stores) {
            Plan plan = new Plan(
                    store, time, seed, list("faults"), list("workloads").orElseGet(() -> Plan.workloadsOf(store)),
                    Optional.empty(), directory.resolve(store + "-" + seed));
            Report report = new Run(plan, System.out::println).report();
            System.out.println(report.text());
            reports.add(report);
        }
        reports.forEach(report -> System.out.printf("%-18s %,10d grants, %,6d faults, %s%n", report.plan().store(),
                report.count("grants"), report.count("faults"),
                report.findings().isEmpty() ? "no finding" : report.findings().size() + " findings"));
        return reports.stream().allMatch(report -> report.findings().isEmpty());
    }

    private static Optional<List<String>> list(String property) {
        return Optional.ofNullable(System.getProperty(property))
                .filter(names -> !names.isBlank())
                .map(names -> List.of(names.split(",")));
    }

    private static boolean plant(Path directory, long seed, String names) throws Exception {
        List<Planted> bugs = names.equals("all")
                ? List.of(Planted.values())
                : Stream.of(names.split(",")).map(name -> Planted.named(name).orElseThrow()).toList();
        List<String> summary = new ArrayList<>();
        boolean all = true;
        for (Planted bug : bugs) {
            Plan plan = new Plan(
                    "postgresql", TIME_FOR_A_BUG, seed, Optional.of(bug.faults()), bug.workloads(), Optional.of(bug),
                    directory.resolve("planted-" + bug));
            Report report = new Run(plan, progress -> {}).report();
            boolean found = report.hasFound(bug.rule());
            summary.add((found ? "found      " : "NOT FOUND  ") + bug + " by " + bug.rule());
            System.out.println(summary.getLast());
            all &= found;
        }
        System.out.println(bugs.size() + " planted bugs, " + (all ? "all found" : "NOT ALL FOUND"));
        return all;
    }
}
