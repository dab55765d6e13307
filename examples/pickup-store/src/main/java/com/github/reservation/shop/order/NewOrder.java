// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.catalog.Product;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a customer wants to reserve, checked.
 *
 * @param quantities the units by product; lines of the same product are added up, so that they are checked against the stock together
 */
record NewOrder(long storeId, Duration hold, SortedMap<Long, Integer> quantities) {

    private static final int MOST_LINES = 20;

    /** One wish. */
    record Line(long productId, long quantity) {}

    static NewOrder of(long storeId, Duration hold, Duration maxHold, List<Line> lines) {
        if (!hold.isPositive() || hold.compareTo(maxHold) > 0) {
            throw ShopProblem.badRequest("hold must be positive and at most " + maxHold + ", but is " + hold + ".");
        }
        if (lines.isEmpty() || lines.size() > MOST_LINES) {
            throw ShopProblem.badRequest("Choose between 1 and " + MOST_LINES + " products.");
        }
        SortedMap<Long, Integer> quantities = new TreeMap<>();
        for (Line line : lines) {
            quantities.merge(line.productId(), checked(line.productId(), line.quantity()), Integer::sum);
        }
        quantities.forEach(NewOrder::checked);
        return new NewOrder(storeId, hold, quantities);
    }

    private static int checked(long productId, long quantity) {
        if (quantity < 1 || quantity > Product.MOST_IN_AN_ORDER) {
            throw ShopProblem.badRequest("The quantity of product " + productId + " must be between 1 and "
                    + Product.MOST_IN_AN_ORDER + ", but is " + quantity + ".");
        }
        return (int) quantity;
    }
}
