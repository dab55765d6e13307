// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

/** The event of an order that has expired. */
record Expired(long order) {}
