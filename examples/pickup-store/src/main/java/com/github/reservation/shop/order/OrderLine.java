// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

/** A line of an order. */
public record OrderLine(long orderId, long productId, String product, int quantity, int priceCents) {}
