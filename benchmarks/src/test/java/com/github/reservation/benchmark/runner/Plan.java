// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is measured, and how long.
 *
 * @param stores names of the stores for the side-by-side runs
 * @param backends names of the backends for JMH
 * @param rounds how many figures there are to take the median of
 * @param round how long a round of lock and unlock lasts
 * @param everyOperation whether JMH measures all operations, or only the most important ones
 */
record Plan(List<String> stores, List<String> backends, Set<Measure> measures, int rounds, Duration round,
        boolean everyOperation) {

    private static final Plan ALL = new Plan(
            List.of("postgresql", "mariadb", "h2", "hazelcast", "redis"),
            List.of("memory", "h2", "postgresql", "mariadb", "hazelcast"),
            EnumSet.allOf(Measure.class), 5, Duration.ofMillis(800), true);

    private static final Plan SUBSET = new Plan(
            List.of("postgresql", "redis"),
            List.of("postgresql"),
            EnumSet.of(Measure.SAME_KEY, Measure.DISTINCT_KEYS, Measure.LOCKS, Measure.CHANGES, Measure.LONGEST_WAIT,
                    Measure.HAND_OVER, Measure.CROWD, Measure.STATEMENTS),
            3, Duration.ofMillis(500), false);

    /** Returns the plan of a name: all or subset, or a list of stores, measures and jmh to choose from all. */
    static Plan of(String name) {
        return switch (name) {
            case "all" -> ALL;
            case "subset" -> SUBSET;
            default -> ALL.only(List.of(name.split(",")));
        };
    }

    private Plan only(List<String> names) {
        List<String> someStores = stores.stream().filter(names::contains).toList();
        Set<Measure> someMeasures = measures.stream().filter(measure -> names.contains(measure.toString()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Measure.class)));
        boolean jmh = names.contains("jmh");
        if (someStores.size() + someMeasures.size() + (jmh ? 1 : 0) != names.size()) {
            throw new IllegalArgumentException("plan must be all, subset, or a list of " + stores + ", jmh and "
                    + Arrays.toString(Measure.values()) + ", but is " + names);
        }
        return new Plan(
                someStores.isEmpty() ? stores : someStores,
                backends.stream()
                        .filter(backend -> jmh && (someStores.isEmpty() || someStores.contains(backend)))
                        .toList(),
                someMeasures.isEmpty() && !jmh ? measures : someMeasures, rounds, round, everyOperation);
    }
}
