// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.github.reservation.shop.browser.Chromium.Screen;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@ShopInABrowser
class SignUpTest {

    @LocalServerPort
    private int port;

    @Test
    void anAddressIsKeptWhileItsFormIsOpenAndThenGivenBack(Chromium chromium) {
        try (Visitor first = chromium.visitor(port, Screen.LAPTOP);
                Visitor second = chromium.visitor(port, Screen.PHONE)) {
            start(first, "ada@example.com");
            assertThat(first.page().getByRole(AriaRole.TIMER)).hasText(Pattern.compile("[45]:\\d\\d"));

            start(second, "ADA@example.com");
            Locator alert = second.page().getByRole(AriaRole.ALERT);
            assertThat(alert).containsText("is just being registered, free again in");
            assertThat(alert.getByRole(AriaRole.TIMER)).hasText(Pattern.compile("4:5\\d"));

            first.click("Cancel and give the address back");
            second.click("Continue");
            assertThat(second.field("Password")).isVisible();
        }
    }

    @Test
    void aFreeAddressBecomesAnAccount(Chromium chromium) {
        try (Visitor grace = chromium.visitor(port, Screen.PHONE);
                Visitor late = chromium.visitor(port, Screen.LAPTOP)) {
            start(grace, "grace@example.com");
            grace.field("Name").fill("Grace");
            grace.field("Password").fill("a-long-password");
            grace.click("Create account");
            assertThat(grace.page().getByRole(AriaRole.BANNER)).containsText("Grace");
            assertThat(grace.reservations()).containsText("Nothing reserved yet");

            start(late, "grace@example.com");
            assertThat(late.page().getByRole(AriaRole.ALERT)).containsText("has an account already");
        }
    }

    @Test
    void anAddressThatIsNoneIsExplained(Chromium chromium) {
        try (Visitor visitor = chromium.visitor(port, Screen.LAPTOP)) {
            start(visitor, "ada@nowhere");

            Locator email = visitor.field("E-mail address");
            assertThat(email).hasAttribute("aria-invalid", "true");
            assertThat(visitor.page().locator("#email-error")).not().isEmpty();
        }
    }

    private static void start(Visitor visitor, String email) {
        visitor.open("/sign-up");
        visitor.field("E-mail address").fill(email);
        visitor.click("Continue");
    }
}
