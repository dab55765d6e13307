// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.catalog;

import com.github.reservation.shop.Texts;

/**
 * A product of one store.
 *
 * @param available the units that nobody has reserved
 */
public record Product(
        long id, long storeId, String name, String category, String description, int priceCents, int available) {

    /** The most units of one product in an order. */
    public static final int MOST_IN_AN_ORDER = 10;

    /** Returns the price as a text. */
    public String price() {
        return Texts.euros(priceCents);
    }
}
