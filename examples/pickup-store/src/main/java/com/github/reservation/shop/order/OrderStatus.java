// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

/** The life of an order: RESERVED, then one of the others. */
public enum OrderStatus {

    RESERVED("Held for you"), COMPLETED("Picked up"), CANCELLED("Cancelled"), EXPIRED("Expired");

    private final String label;

    OrderStatus(String label) {
        this.label = label;
    }

    /** Returns what the customer reads. */
    public String label() {
        return label;
    }
}
