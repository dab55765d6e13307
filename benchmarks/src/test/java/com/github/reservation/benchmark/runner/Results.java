// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a run has measured. */
final class Results {

    private final Map<Measure, Map<String, Figures>> figures = new EnumMap<>(Measure.class);
    private final Set<Participant> participants = new LinkedHashSet<>();
    private final List<JmhResult> jmh = new ArrayList<>();
    private final Map<String, String> versions = new LinkedHashMap<>();

    /** A contender that took part, for the reader. */
    record Participant(String store, String contender, String setup) {}

    /** Returns the figures of the contenders on a store, to add to or to read. */
    Figures of(Measure measure, String store) {
        return figures.computeIfAbsent(measure, m -> new LinkedHashMap<>()).computeIfAbsent(store, s -> new Figures());
    }

    Map<Measure, Map<String, Figures>> figures() {
        return figures;
    }

    Set<Participant> participants() {
        return participants;
    }

    List<JmhResult> jmh() {
        return jmh;
    }

    /** Returns the versions of the stores. */
    Map<String, String> versions() {
        return versions;
    }
}
