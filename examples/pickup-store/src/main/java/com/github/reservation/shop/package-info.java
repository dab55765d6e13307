// SPDX-License-Identifier: Apache-2.0
/**
 * A shop that holds stock for orders that customers pick up.
 *
 * <p>{@link com.github.reservation.shop.PickupStore} starts it. Then read {@link com.github.reservation.shop.order.Orders}, which takes
 * stock, {@link com.github.reservation.shop.order.ExpiringOrders}, which gives it back,
 * {@link com.github.reservation.shop.customer.SignUps}, which uses claims, and {@link com.github.reservation.shop.count.Shelves}, which
 * uses {@code @Reserved}.
 */
@NullMarked
package com.github.reservation.shop;

import org.jspecify.annotations.NullMarked;
