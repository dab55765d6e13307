// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import java.time.Instant;

/** The hold of an order has ended, and its units are back in the stock. */
public record ReservationExpired(String orderId, String storeId, String userId, Instant expiredAt) {}
