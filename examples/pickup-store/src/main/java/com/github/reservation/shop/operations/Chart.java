// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.operations;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A line over the last minutes, in a box of 300 by 80.
 *
 * @param points the line, for {@code <polyline>}
 * @param area the area below the line, for {@code <polygon>}
 */
public record Chart(
        String id,
        String title,
        String unit,
        String last,
        String max,
        String points,
        String area,
        List<Double> values,
        String from,
        String to) {

    private static final double WIDTH = 300;
    private static final double HEIGHT = 80;

    static Chart of(String id, String title, String unit, List<Double> values, int length, String from) {
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double scale = max == 0 ? 0 : (HEIGHT - 4) / max;
        double step = WIDTH / Math.max(1, length - 1);
        double start = WIDTH - step * Math.max(0, values.size() - 1);
        String points = IntStream.range(0, values.size())
                .mapToObj(index -> point(start + index * step, HEIGHT - 2 - values.get(index) * scale))
                .collect(Collectors.joining(" "));
        String area = values.isEmpty() ? "" : point(start, HEIGHT) + " " + points + " " + point(WIDTH, HEIGHT);
        double last = values.isEmpty() ? 0 : values.getLast();
        return new Chart(id, title, unit, number(last), number(max), points, area, values, from, "now");
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x, y);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
