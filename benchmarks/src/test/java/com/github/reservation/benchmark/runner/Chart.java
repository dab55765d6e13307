// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Draws the figures of a measure as points on a logarithmic axis, in light and dark. */
final class Chart {

    private static final int WIDTH = 900;
    private static final int AXIS_AT = 330;
    private static final int AXIS_WIDTH = 400;
    private static final int ROW = 26;
    private static final int TOP = 82;
    private static final int MOST_TICKS = 7;

    private static final String STYLE = """
            <style>
              svg { --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --grid: #d8dee4; --ours: #1f6feb; --peer: #8c959f }
              @media (prefers-color-scheme: dark) {
                svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --grid: #2a313a; --ours: #58a6ff; --peer: #7d8590 }
              }
              .paper { fill: var(--paper) }
              text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; fill: var(--ink) }
              text.title { font-size: 17px; font-weight: 600 }
              text.soft { fill: var(--soft); font-size: 12px }
              text.bold { font-weight: 600 }
              .grid { stroke: var(--grid) }
              .ours { fill: var(--ours); stroke: var(--ours) }
              .peer { fill: var(--peer); stroke: var(--peer) }
              .limit { fill: var(--paper); stroke: var(--soft) }
              circle { stroke-width: 2 }
              .spread { stroke-width: 3 }
            </style>
            """;

    private final Measure measure;
    private final Map<String, Figures> stores;
    private final double least;
    private final double greatest;
    private final StringBuilder svg = new StringBuilder();
    private int y = TOP;

    private Chart(Measure measure, Map<String, Figures> stores) {
        this.measure = measure;
        this.stores = stores;
        // A point on the border would be cut in two.
        this.least = tickBelow(0.95
                * lines().mapToDouble(line -> line.figure().least()).filter(figure -> figure > 0).min().orElse(1));
        this.greatest = tickAbove(
                1.05 * lines().mapToDouble(line -> line.figure().greatest()).max().orElse(10 * least));
    }

    /** Returns the last of 1, 2, 5, 10, 20, 50 and so on before a figure. */
    private static double tickBelow(double figure) {
        double decade = Math.pow(10, Math.floor(Math.log10(figure)));
        return decade * (figure < 2 * decade ? 1 : figure < 5 * decade ? 2 : 5);
    }

    private static double tickAbove(double figure) {
        double before = tickBelow(figure);
        return isDecade(before / 2) ? before * 2.5 : before * 2;
    }

    private static boolean isDecade(double figure) {
        double decades = Math.log10(figure);
        return Math.abs(decades - Math.rint(decades)) < 1e-9;
    }

    /** Returns what the axis shows: all ticks, or the powers of ten if those are too many. */
    private List<Double> ticks() {
        List<Double> all = Stream.iterate(least, tick -> tick < greatest * 1.01, Chart::tickAbove).toList();
        return all.size() <= MOST_TICKS ? all : all.stream().filter(Chart::isDecade).toList();
    }

    static String of(Measure measure, Map<String, Figures> stores) {
        return new Chart(measure, stores).draw();
    }

    private Stream<Figures.Line> lines() {
        return stores.values().stream().flatMap(figures -> figures.lines().stream());
    }

    private String draw() {
        long height = TOP + ROW * (lines().count() + stores.size()) + 16;
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" role=\"img\">",
                WIDTH, height);
        add("<title>%s, %s</title>", measure.title(), measure.unit());
        svg.append(STYLE);
        add("<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"8\"/>", WIDTH, height);
        add("<text class=\"title\" x=\"20\" y=\"30\">%s</text>", measure.title());
        add("<text class=\"soft\" x=\"20\" y=\"50\">%s, %s is better. Median with the least and the greatest round, on a logarithmic"
                + " axis%s.</text>", measure.unit(), measure.moreIsBetter() ? "more" : "less",
                lines().anyMatch(Figures.Line::isLimit) ? "; in brackets the ratio to the raw limit (○)" : "");
        for (double tick : ticks()) {
            add("<line class=\"grid\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>", x(tick), TOP,
                    height - 12);
            add("<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(tick), TOP - 6,
                    String.format(Locale.ROOT, tick < 0.1 ? "%.2f" : tick < 1 ? "%.1f" : "%,.0f", tick));
        }
        stores.forEach((store, figures) -> {
            add("<text class=\"bold\" x=\"20\" y=\"%d\">%s</text>", y + 18, store);
            y += ROW;
            figures.lines().forEach(this::row);
        });
        return svg.append("</svg>\n").toString();
    }

    private void row(Figures.Line line) {
        boolean ours = line.contender().startsWith(Contender.OURS);
        String look = ours ? "ours" : line.isLimit() ? "limit" : "peer";
        int middle = y + ROW / 2;
        add("<text%s x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", ours ? " class=\"bold\"" : "", AXIS_AT - 16,
                middle + 4, line.contender());
        add("<line class=\"%s spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%4$d\" y2=\"%4$d\"/>", look,
                x(line.figure().least()),
                x(line.figure().greatest()), middle);
        add("<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"5\"/>", look, x(line.figure().median()), middle);
        add("<text%s x=\"%d\" y=\"%d\">%s%s</text>", ours ? " class=\"bold\"" : "", AXIS_AT + AXIS_WIDTH + 24,
                middle + 4,
                Spread.number(line.figure().median()),
                line.ratio().map(ratio -> " (" + Spread.number(ratio.median()) + ")").orElse(""));
        y += ROW;
    }

    private double x(double figure) {
        double part = figure <= least ? 0 : Math.log(figure / least) / Math.log(greatest / least);
        return AXIS_AT + part * AXIS_WIDTH;
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
