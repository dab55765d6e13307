// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What several contenders reached in rounds that took turns, so that whatever else the machine does hits all of them. Each figure
 * is a median with the least and the greatest; behind it is the median of its ratios to the peer's figure of the same round.
 */
public final class Figures {

    private final String peer;
    private final Map<String, Map<String, List<Double>>> measures = new LinkedHashMap<>();

    /** Makes an empty table; {@code peer} is the contender that the others are compared with. */
    public Figures(String peer) {
        this.peer = peer;
    }

    /** Adds what a contender reached in a round. Every contender adds every measure once a round, or never. */
    public void add(String measure, String contender, double figure) {
        measures.computeIfAbsent(measure, m -> new LinkedHashMap<>())
                .computeIfAbsent(contender, c -> new ArrayList<>())
                .add(figure);
    }

    public void print() {
        measures.forEach((measure, contenders) -> {
            System.out.println("  " + measure);
            contenders.forEach((contender, figures) -> System.out.printf(
                    Locale.ROOT,
                    "    %-32s %s%s%n",
                    contender,
                    spread(figures),
                    ratio(figures, contenders.getOrDefault(peer, figures))));
        });
    }

    private static String ratio(List<Double> figures, List<Double> peers) {
        if (figures.equals(peers)) {
            return "";
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < figures.size(); round++) {
            ratios.add(figures.get(round) / peers.get(round));
        }
        return "   ratio " + spread(ratios);
    }

    private static String spread(List<Double> figures) {
        double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double median = sorted[sorted.length / 2];
        String format = Arrays.stream(sorted).max().orElseThrow() < 10 ? "%.2f [%.2f..%.2f]" : "%.0f [%.0f..%.0f]";
        return String.format(Locale.ROOT, format, median, sorted[0], sorted[sorted.length - 1]);
    }
}
