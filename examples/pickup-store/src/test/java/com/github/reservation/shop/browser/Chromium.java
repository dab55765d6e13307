// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The browser of the machine, started once for all tests. It is closed after the last one. */
final class Chromium implements AutoCloseable {

    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox", // Chromium does not start as root with it.
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path executable) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
        browser = playwright.chromium().launch(
                new BrowserType.LaunchOptions().setExecutablePath(executable).setArgs(ARGUMENTS));
    }

    /** Opens the shop for somebody who was never here: without cookies, on a screen of this size. */
    Visitor visitor(int port, Screen screen) {
        return new Visitor(browser.newContext(new Browser.NewContextOptions()
                .setBaseURL("http://localhost:" + port)
                .setLocale("en-GB")
                .setTimezoneId("Europe/Amsterdam")
                .setReducedMotion(ReducedMotion.REDUCE)
                .setViewportSize(screen.width, screen.height)));
    }

    @Override
    public void close() {
        playwright.close();
    }

    private static Optional<Path> executable() {
        return List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome").stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    enum Screen {
        LAPTOP(1280, 800), PHONE(390, 844);

        final int width;
        final int height;

        Screen(int width, int height) {
            this.width = width;
            this.height = height;
        }
    }

    /** Passes the browser to tests, and skips them on a machine that has none. */
    static final class Extension implements ExecutionCondition, ParameterResolver {

        private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(Chromium.class);

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (executable().isPresent()) {
                return ConditionEvaluationResult.enabled("Chromium is there");
            }
            String reason = "Skipped without Chromium (apt-get install chromium): " + context.getDisplayName();
            System.err.println(reason);
            return ConditionEvaluationResult.disabled(reason);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Chromium.class;
        }

        @Override
        public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot().getStore(HERE).computeIfAbsent(
                    Chromium.class, type -> new Chromium(executable().orElseThrow()), Chromium.class);
        }
    }
}
