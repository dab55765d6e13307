// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.List;
import java.util.Locale;

/** The median of several rounds, with the least and the greatest. */
record Spread(double median, double least, double greatest) {

    static Spread of(List<Double> figures) {
        double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s [%s..%s]", number(median), number(least), number(greatest));
    }

    /** Writes a number with the digits that matter. */
    static String number(double number) {
        return String.format(Locale.ROOT, number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%,.0f", number);
    }
}
