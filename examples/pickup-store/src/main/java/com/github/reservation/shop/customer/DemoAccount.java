// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import java.util.List;
import java.util.Locale;

/** An account for visitors, shown on the page for signing in. */
public record DemoAccount(String name, String email, Role role) {

    /** All of them. */
    public static final List<DemoAccount> ALL = List.of(
            new DemoAccount("Anna", "anna@example.com", Role.CUSTOMER),
            new DemoAccount("Ben", "ben@example.com", Role.CUSTOMER),
            new DemoAccount("Sam", "sam@example.com", Role.STAFF),
            new DemoAccount("Tina", "tina@example.com", Role.STAFF));

    /** Returns the password, which is the same for all. */
    public String password() {
        return "demo-demo";
    }

    /** Returns the role as the page shows it. */
    public String roleText() {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
