// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the contenders on one store reached in rounds that took turns, so that whatever else the machine does hits all of them. A ratio
 * is that of a contender's figure to the limit's figure of the same round.
 */
final class Figures {

    private final Map<String, List<Double>> rounds = new LinkedHashMap<>();
    private Optional<String> limit = Optional.empty();

    /** A contender's figure, and its ratio to the limit; the limit itself has none. */
    record Line(String contender, Spread figure, Optional<Spread> ratio, boolean isLimit) {}

    /** Adds what a contender reached in a round. Each contender adds one figure a round. */
    void add(String contender, double figure) {
        rounds.computeIfAbsent(contender, c -> new ArrayList<>()).add(figure);
    }

    /** Adds what the limit reached in a round. */
    void addLimit(String contender, double figure) {
        limit = Optional.of(contender);
        add(contender, figure);
    }

    List<Line> lines() {
        return rounds.entrySet().stream()
                .map(entry -> new Line(entry.getKey(), Spread.of(entry.getValue()), ratio(entry.getKey()),
                        limit.filter(entry.getKey()::equals).isPresent()))
                .toList();
    }

    private Optional<Spread> ratio(String contender) {
        return limit.filter(name -> !name.equals(contender)).map(name -> {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds.get(name).size(); round++) {
                ratios.add(rounds.get(contender).get(round) / rounds.get(name).get(round));
            }
            return Spread.of(ratios);
        });
    }
}
