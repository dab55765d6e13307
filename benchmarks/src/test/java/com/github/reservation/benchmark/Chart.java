// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Draws the figures of a measure as bars, in light and dark. */
final class Chart {

    private static final int WIDTH = 900;
    private static final int BARS_AT = 290;
    private static final int LONGEST_BAR = 330;
    private static final int ROW = 26;
    private static final int TOP = 64;

    private static final String STYLE = """
            <style>
              svg { --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --ours: #2563eb; --peer: #a8b3c0; --spread: #57606a }
              @media (prefers-color-scheme: dark) {
                svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --ours: #58a6ff; --peer: #56606c; --spread: #c9d1d9 }
              }
              rect.paper { fill: var(--paper) }
              text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; fill: var(--ink) }
              .title { font-size: 17px; font-weight: 600 }
              .soft { fill: var(--soft); font-size: 12px }
              .store { font-weight: 600 }
              .ours { fill: var(--ours) }
              .peer { fill: var(--peer) }
              .limit { fill: none; stroke: var(--soft); stroke-dasharray: 4 3 }
              .spread { stroke: var(--spread); stroke-width: 1.5 }
            </style>
            """;

    private final Measure measure;
    private final Map<String, Figures> stores;
    private final double greatest;
    private final StringBuilder svg = new StringBuilder();
    private int y = TOP;

    private Chart(Measure measure, Map<String, Figures> stores) {
        this.measure = measure;
        this.stores = stores;
        this.greatest = lines().mapToDouble(line -> line.figure().greatest()).max().orElse(1);
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
        add("<text class=\"soft\" x=\"20\" y=\"50\">%s, %s is better. Median, with the least and the greatest round; in brackets the"
                + " ratio to the raw limit (dashed).</text>", measure.unit(), measure.moreIsBetter() ? "more" : "less");
        stores.forEach((store, figures) -> {
            add("<text class=\"store\" x=\"20\" y=\"%d\">%s</text>", y + 18, store);
            y += ROW;
            figures.lines().forEach(this::bar);
        });
        return svg.append("</svg>\n").toString();
    }

    private void bar(Figures.Line line) {
        String look = line.contender().startsWith(Contender.OURS) ? "ours" : line.isLimit() ? "limit" : "peer";
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", BARS_AT - 10, y + 17, line.contender());
        add("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>", look, BARS_AT, y + 4,
                Math.max(1, length(line.figure().median())), ROW - 9);
        add("<line class=\"spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$.1f\" y2=\"%3$.1f\"/>",
                BARS_AT + length(line.figure().least()), BARS_AT + length(line.figure().greatest()),
                y + 4 + (ROW - 9) / 2.0);
        add("<text x=\"%.1f\" y=\"%d\">%s%s</text>", BARS_AT + length(line.figure().greatest()) + 8, y + 17,
                Spread.number(line.figure().median()),
                line.ratio().map(ratio -> " (" + Spread.number(ratio.median()) + ")").orElse(""));
        y += ROW;
    }

    private double length(double figure) {
        return figure / greatest * LONGEST_BAR;
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
