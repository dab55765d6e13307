// SPDX-License-Identifier: Apache-2.0
/** Stores, products and their stock. */
@NullMarked
package com.github.reservation.shop.catalog;

import org.jspecify.annotations.NullMarked;
