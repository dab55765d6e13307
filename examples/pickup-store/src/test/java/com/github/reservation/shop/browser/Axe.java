// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Checks a page with axe-core. */
final class Axe {

    private static final String SOURCE = source("/axe.min.js");

    private static final String RUN = """
            () => axe.run({resultTypes: ["violations"], preload: false}).then(result => result.violations
                .filter(one => one.impact === "serious" || one.impact === "critical")
                .flatMap(one => one.nodes.map(node => `${one.id}: ${node.target} ${node.failureSummary}`)))
            """;

    private Axe() {}

    /** Returns the serious and critical findings. */
    @SuppressWarnings("unchecked")
    static List<String> findings(Page page) {
        if (Boolean.TRUE.equals(page.evaluate("() => !window.axe"))) {
            page.evaluate(SOURCE);
        }
        return (List<String>) page.evaluate(RUN);
    }

    private static String source(String resource) {
        try (InputStream in = Axe.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
