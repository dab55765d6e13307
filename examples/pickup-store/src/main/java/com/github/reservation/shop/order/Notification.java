// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.order;

import java.time.Instant;

/** What the shop told a customer. */
public record Notification(long id, String text, Instant createdAt, boolean unread) {}
