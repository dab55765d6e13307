// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import org.jspecify.annotations.Nullable;

/** Who looks at a page. */
public record Viewer(boolean signedIn, String name, boolean customer, boolean staff, boolean operator) {

    static Viewer of(@Nullable Account account) {
        return account == null
                ? new Viewer(false, "", false, false, false)
                : new Viewer(
                        true,
                        account.name(),
                        account.role() == Role.CUSTOMER,
                        account.role() == Role.STAFF,
                        account.role() == Role.OPERATOR);
    }
}
