// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.shop.browser.Chromium.Screen;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@ShopInABrowser
class ShoppingTest {

    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    @LocalServerPort
    private int port;

    @BeforeEach
    void addAProductWithAHostileName(@Autowired JdbcClient jdbc) {
        jdbc.sql("""
                MERGE INTO products (id, store_id, name, category, description, price_cents, available)
                KEY (id)
                VALUES (199, 1, ?, 'other', '<b>bold</b>', 100, 9)
                """).param(HOSTILE).update();
    }

    @Test
    void stockComesBackAndTheCustomerIsToldWithoutReloading(Chromium chromium) {
        try (Visitor anna = chromium.visitor(port, Screen.LAPTOP).signInAs("Anna");
                Visitor ben = chromium.visitor(port, Screen.PHONE).signInAs("Ben")) {
            seesAReservation(anna, "Instant camera", 3, "Sold out");
            seesAReservation(ben, "Field guide to birds", 9, "Only 3 left");

            seesItEnd(anna, "Instant camera", "Only 3 left");
            seesItEnd(ben, "Field guide to birds", "12 in stock");
        }
    }

    private static void seesAReservation(Visitor customer, String product, int quantity, String stock) {
        customer.choose(product, quantity);
        customer.reserve();

        assertThat(customer.page().getByRole(AriaRole.STATUS).filter(
                new Locator.FilterOptions().setHasText("held for you"))).isVisible();
        assertThat(customer.stock(product)).hasText(stock);
        assertThat(customer.reservations().locator(".running")).containsText(quantity + " × " + product);
        assertThat(customer.reservations().getByRole(AriaRole.TIMER)).hasText(Pattern.compile("0:0[1-5]"));
        customer.mark();
    }

    private static void seesItEnd(Visitor customer, String product, String stock) {
        assertThat(customer.stock(product)).hasText(stock);
        assertThat(customer.page().locator("#toasts")).containsText("back on sale");
        assertThat(customer.notifications().locator(".note").first()).containsText("back on sale");
        assertThat(customer.reservations().locator(".running")).hasCount(0);
        assertThat(customer.reservations().locator(".order").first()).containsText("Expired");
        assertThat(customer.isMarked()).isTrue();
    }

    @Test
    void anotherVisitorSeesTheStockGoAndComeBack(Chromium chromium) {
        try (Visitor guest = chromium.visitor(port, Screen.LAPTOP).open("/");
                Visitor ben = chromium.visitor(port, Screen.PHONE)) {
            guest.mark();

            Api.reserve(port, "ben@example.com", "PT1M", 103, 2);
            assertThat(guest.stock("Travel espresso maker")).hasText("Only 3 left");
            ben.signInAs("Ben").click("Cancel");

            assertThat(guest.stock("Travel espresso maker")).hasText("5 in stock");
            assertThat(guest.isMarked()).isTrue();
        }
    }

    @Test
    void whatIsSoldOutIsRefusedInPlainWords(Chromium chromium) {
        try (Visitor ben = chromium.visitor(port, Screen.LAPTOP).signInAs("Ben")) {
            ben.choose("Bicycle lamp", 1);
            ben.choose("Travel espresso maker", 9);
            ben.reserve();

            assertThat(ben.page().getByRole(AriaRole.ALERT)).containsText("Travel espresso maker");
            assertThat(ben.stock("Bicycle lamp")).hasText("20 in stock");
        }
    }

    @Test
    void theSecondClickOfADoubleClickSendsNothing(Chromium chromium) {
        try (Visitor ben = chromium.visitor(port, Screen.LAPTOP).signInAs("Ben")) {
            List<Route> sent = new ArrayList<>();
            ben.page().route("**/stores/1/orders", sent::add); // The server does not answer yet.
            ben.choose("Herb garden", 1);

            ben.page().waitForRequest("**/second-click", () -> ben.reserveButton().evaluate("""
                    button => {
                      button.click();
                      setTimeout(() => {
                        button.click();
                        fetch("/second-click");
                      }, 200);
                    }"""));
            ben.page().waitForCondition(() -> !sent.isEmpty());
            sent.getFirst().resume();

            assertThat(ben.reservations().locator(".running")).hasCount(1);
            assertThat(sent).hasSize(1);
            ben.click("Cancel");
            assertThat(ben.reservations().locator(".running")).hasCount(0);
        }
    }

    @Test
    void aHostileNameIsShownAsText(Chromium chromium) {
        try (Visitor anna = chromium.visitor(port, Screen.LAPTOP).signInAs("Anna")) {
            assertThat(anna.product(HOSTILE)).containsText("<b>bold</b>");

            anna.choose(HOSTILE, 1);
            anna.reserve();

            assertThat(anna.reservations().locator(".running")).containsText(HOSTILE);
            assertThat(anna.page().locator("img")).hasCount(0);
        }
    }

    @Test
    void theKeyboardIsEnough(Chromium chromium) {
        try (Visitor ben = chromium.visitor(port, Screen.LAPTOP).signInAs("Ben")) {
            ben.page().keyboard().press("Tab");
            assertThat(ben.page().getByText("Skip to content")).isFocused();
            ben.page().keyboard().press("Enter");
            assertThat(ben.page().locator("main")).isFocused();

            Locator quantity = ben.field("Quantity of Herb garden");
            quantity.focus();
            ben.page().keyboard().press("ArrowUp");
            ben.page().keyboard().press("Tab");
            assertThat(ben.field("One Herb garden more")).isFocused();
            ben.page().keyboard().press("Enter");
            assertThat(quantity).hasValue("2");
            quantity.press("Enter");

            assertThat(ben.reservations().locator(".running")).containsText("2 × Herb garden");
            ben.click("Cancel"); // Other tests count what Ben has reserved.
            assertThat(ben.reservations().locator(".running")).hasCount(0);
        }
    }
}
