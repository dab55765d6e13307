// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Somebody with a browser window of his own. {@link #close()} fails if a script failed or the security policy blocked anything. */
final class Visitor implements AutoCloseable {

    private final BrowserContext context;
    private final List<String> faults = new ArrayList<>();
    private final Page page;

    Visitor(BrowserContext context) {
        this.context = context;
        context.setDefaultTimeout(10_000);
        page = context.newPage();
        page.onPageError(faults::add);
        page.onDialog(dialog -> {
            faults.add("A script opened a dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onConsoleMessage(message -> {
            if (message.text().contains("Content Security Policy")) {
                faults.add(message.text());
            }
        });
    }

    Page page() {
        return page;
    }

    Visitor open(String path) {
        page.navigate(path);
        return this;
    }

    /** Signs in with the button of a demo account on the first page. */
    Visitor signInAs(String name) {
        open("/");
        click("Sign in as " + name);
        return signedIn();
    }

    Visitor signInAsOperator() {
        open("/sign-in");
        field("E-mail address").fill("operator");
        field("Password").fill("operator");
        page.locator("main")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Sign in").setExact(true))
                .click();
        return signedIn();
    }

    /** Waits: a page that is opened before the answer is there would come too early. */
    private Visitor signedIn() {
        button("Sign out").waitFor();
        return this;
    }

    void click(String button) {
        button(button).click();
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name)).first();
    }

    Locator field(String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    /** Returns the card of a product. */
    Locator product(String name) {
        return page.locator(".product").filter(new Locator.FilterOptions().setHas(page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setExact(true))));
    }

    Locator stock(String product) {
        return product(product).locator("[data-stock]");
    }

    void choose(String product, int quantity) {
        field("Quantity of " + product).fill(String.valueOf(quantity));
    }

    void reserve() {
        reserveButton().click();
    }

    Locator reserveButton() {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Reserve for")));
    }

    Locator reservations() {
        return page.locator("#order-list");
    }

    Locator notifications() {
        return page.locator("#notification-list");
    }

    /** Marks the document: the mark is gone when the page was loaded again. */
    void mark() {
        page.evaluate("document.body.marked = true");
    }

    boolean isMarked() {
        return Boolean.TRUE.equals(page.evaluate("document.body.marked === true"));
    }

    @Override
    public void close() {
        context.close();
        assertThat(faults).isEmpty();
    }
}
