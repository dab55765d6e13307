// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.shop.ShopProperties;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/** The operator. Without a password in the settings, each start makes a new one and prints it. */
@Component
class OperatorAccount {

    static final String NAME = "operator";

    private static final Logger LOG = LoggerFactory.getLogger(OperatorAccount.class);

    private final Account account;

    OperatorAccount(ShopProperties shop, PasswordEncoder passwords) {
        String password = shop.operatorPassword();
        if (password == null || password.isBlank()) {
            password = UUID.randomUUID().toString();
            LOG.info("Sign in as {} with the generated password {}", NAME, password);
        }
        account = new Account(0, NAME, "Operator", String.valueOf(passwords.encode(password)), Role.OPERATOR);
    }

    Account account() {
        return account;
    }
}
