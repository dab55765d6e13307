// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.catalog;

/** A store where customers pick up their orders. */
public record Store(long id, String name, String city) {}
