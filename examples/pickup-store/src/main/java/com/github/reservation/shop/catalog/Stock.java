// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.catalog;

/** How many units of a product nobody has reserved. */
public record Stock(long productId, long storeId, int available) {}
