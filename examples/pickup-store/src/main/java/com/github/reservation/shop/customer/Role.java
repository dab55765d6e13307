// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

/** What an account may do: order, count the stock, or see and change everything that is held. */
public enum Role {
    CUSTOMER, STAFF, OPERATOR
}
