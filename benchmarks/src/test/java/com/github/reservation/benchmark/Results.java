// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run has measured. */
final class Results {

    private final Map<Measure, Map<String, Figures>> figures = new EnumMap<>(Measure.class);
    private final List<Participant> participants = new ArrayList<>();
    private final List<JmhResult> jmh = new ArrayList<>();

    /** A contender that took part, for the reader. */
    record Participant(String store, String contender, String setup) {}

    /** Returns the figures of the contenders on a store, to add to or to read. */
    Figures of(Measure measure, String store) {
        return figures.computeIfAbsent(measure, m -> new LinkedHashMap<>()).computeIfAbsent(store, s -> new Figures());
    }

    Map<Measure, Map<String, Figures>> figures() {
        return figures;
    }

    List<Participant> participants() {
        return participants;
    }

    List<JmhResult> jmh() {
        return jmh;
    }
}
