// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.shop.browser.Chromium.Screen;
import com.github.reservation.spring.ReservationManagers;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Photographs each page, dark on a phone and light on a laptop, and finds no serious fault of accessibility. */
@ShopInABrowser
class LooksTest {

    /** These have all colours that there are. */
    private static final Set<String> CHECKED_IN_THE_DARK = Set.of("shop", "sign-up-taken", "stock-count", "operations");

    @LocalServerPort
    private int port;

    @Test
    void pagesForGuests(Chromium chromium) {
        try (Visitor guest = chromium.visitor(port, Screen.LAPTOP)) {
            look(guest, "/", "guest");
            look(guest, "/sign-in?error", "sign-in");
            guest.open("/sign-up");
            guest.field("E-mail address").fill("mary@example.com");
            guest.click("Continue");
            look(guest, "/sign-up", "sign-up-2");
        }
        try (Visitor second = chromium.visitor(port, Screen.LAPTOP).open("/sign-up")) {
            second.field("E-mail address").fill("mary@example.com");
            second.click("Continue");
            assertThat(second.page().locator(".message")).isVisible();
            look(second, "sign-up-taken");
        }
    }

    @Test
    void pagesForCustomers(Chromium chromium) {
        try (Visitor anna = chromium.visitor(port, Screen.LAPTOP).signInAs("Anna")) {
            Api.reserve(port, "anna@example.com", "PT0.1S", 104, 1);
            assertThat(anna.notifications().locator(".note")).not().hasCount(0);
            Api.reserve(port, "anna@example.com", "PT58S", 101, 1);
            Api.reserve(port, "anna@example.com", "PT9S", 106, 2);
            look(anna, "/", "shop");
            look(anna, "/orders", "orders");
            look(anna, "/stores/999", "not-found");
        }
    }

    @Test
    void pagesForStaff(Chromium chromium) {
        try (Visitor sam = chromium.visitor(port, Screen.LAPTOP).signInAs("Sam").open("/counts")) {
            sam.page().getByLabel("Count slowly and lose the lock").first().check();
            sam.click("Start count");
            assertThat(sam.page().locator("main > .message")).isVisible();
            look(sam, "stock-count");
        }
    }

    @Test
    void pagesForTheOperator(Chromium chromium, @Autowired ReservationManagers managers) {
        Reservation lock = managers.get("stock-count").getReservation("1");
        lock.lock();
        try (Visitor operator = chromium.visitor(port, Screen.LAPTOP).signInAsOperator()) {
            look(operator, "/operations", "operations");
            look(operator, "/operations/release?domain=stock-count&identifier=1", "release");
        } finally {
            lock.unlock();
        }
    }

    private static void look(Visitor visitor, String path, String name) {
        visitor.open(path);
        look(visitor, name);
    }

    private static void look(Visitor visitor, String name) {
        look(visitor, name, Screen.PHONE, ColorScheme.DARK);
        look(visitor, name, Screen.LAPTOP, ColorScheme.LIGHT);
    }

    private static void look(Visitor visitor, String name, Screen screen, ColorScheme scheme) {
        Page page = visitor.page();
        String picture = "%s-%s-%s".formatted(name, screen, scheme).toLowerCase(Locale.ROOT);
        page.setViewportSize(screen.width, screen.height);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.screenshot(new Page.ScreenshotOptions().setFullPage(true)
                .setPath(Path.of("target", "screenshots", picture + ".png")));

        assertThat(page.evaluate("document.documentElement.scrollWidth")).as("width of " + picture)
                .isEqualTo(screen.width);
        if (scheme == ColorScheme.LIGHT || CHECKED_IN_THE_DARK.contains(name)) {
            assertThat(Axe.findings(page)).as(picture).isEmpty();
        }
    }
}
