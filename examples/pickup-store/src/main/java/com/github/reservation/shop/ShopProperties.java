// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The settings of the shop; application.properties has their defaults.
 *
 * @param hold how long an order is held for its customer
 * @param maxHold the longest hold that a client of the API may ask for
 * @param signUpTime how long an e-mail address is claimed while a sign-up form is open
 * @param demoData whether an empty database gets stores, products and accounts
 * @param operatorPassword the password of the operator; not set: one is generated and printed
 */
@ConfigurationProperties("shop")
public record ShopProperties(
        Duration hold,
        Duration maxHold,
        Duration signUpTime,
        boolean demoData,
        @Nullable String operatorPassword,
        Count count) {

    /**
     * The stock count.
     *
     * @param takes how long it takes to count the shelves of a store
     * @param lease the lease of a count
     * @param slowLease the lease of a slow count: too short on purpose
     */
    public record Count(Duration takes, Duration lease, Duration slowLease) {}
}
