// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.shop.browser.Chromium.Screen;
import com.github.reservation.spring.ReservationManagers;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What those who work in the shop do: counting and operating. */
@ShopInABrowser
class StaffTest {

    @LocalServerPort
    private int port;

    @Test
    void aSecondCountIsToldWhoIsAtIt(Chromium chromium) {
        try (Visitor sam = chromium.visitor(port, Screen.LAPTOP).signInAs("Sam").open("/counts");
                Visitor tina = chromium.visitor(port, Screen.PHONE).signInAs("Tina").open("/counts")) {
            // A click would wait for the answer, which comes when the count has ended.
            sam.button("Start count of Old Town").dispatchEvent("click");
            assertThat(store(tina, "Old Town")).containsText("by Sam");

            tina.click("Start count of Old Town");
            assertThat(outcome(tina)).containsText("Sam has been counting");

            assertThat(outcome(sam)).containsText("is counted");
            assertThat(store(tina, "Old Town")).containsText("Nobody is counting");
        }
    }

    @Test
    void theLateWriteOfALostLockIsRefused(Chromium chromium) {
        try (Visitor sam = chromium.visitor(port, Screen.LAPTOP).signInAs("Sam").open("/counts")) {
            Locator harbour = store(sam, "Harbour");
            harbour.getByLabel("Count slowly and lose the lock").check();
            sam.click("Start count of Harbour");

            assertThat(sam.page().getByRole(AriaRole.ALERT)).containsText("The late write was refused");
            assertThat(outcome(sam).locator(".story li").first()).isVisible();
        }
    }

    @Test
    void theOperatorTakesALockFromItsHolder(Chromium chromium, @Autowired ReservationManagers managers) {
        Reservation lock = managers.get("stock-count").getReservation("2");
        try (Visitor operator = chromium.visitor(port, Screen.LAPTOP).signInAsOperator().open("/operations")) {
            assertThat(operator.page().locator(".chart")).hasCount(3);
            assertThat(holders(operator)).containsText("Nobody holds a lock");

            lock.lock();
            holders(operator).getByRole(AriaRole.LINK).click();
            assertThat(operator.page().getByRole(AriaRole.HEADING).first()).hasText("Take this lock from its holder?");
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            operator.click("Release the lock now");

            assertThat(operator.page().getByRole(AriaRole.STATUS).first()).containsText("is free");
            assertThat(holders(operator)).containsText("Nobody holds a lock");
        }
    }

    private static Locator holders(Visitor operator) {
        return operator.page().getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Who holds what"));
    }

    @Test
    void customersDoNotSeeOperations(Chromium chromium) {
        try (Visitor ben = chromium.visitor(port, Screen.LAPTOP).signInAs("Ben").open("/operations")) {
            assertThat(ben.page().getByRole(AriaRole.HEADING).first()).hasText("You may not do this");
        }
    }

    private static Locator store(Visitor visitor, String name) {
        return visitor.page().locator("#count-list section").filter(new Locator.FilterOptions().setHasText(name));
    }

    private static Locator outcome(Visitor visitor) {
        return visitor.page().locator("main > .message");
    }
}
