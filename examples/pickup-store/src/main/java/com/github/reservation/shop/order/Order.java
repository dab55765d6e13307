// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import java.time.Instant;
import java.util.List;

/** An order for pick-up. From {@code holdExpiresAt} on it can no longer be completed, and the job returns its units to the stock. */
public record Order(
        long id,
        long storeId,
        String store,
        OrderStatus status,
        Instant createdAt,
        Instant holdExpiresAt,
        List<OrderLine> lines) {}
