// SPDX-License-Identifier: Apache-2.0
/** The stock count: one at a time for each store. */
@NullMarked
package com.github.reservation.shop.count;

import org.jspecify.annotations.NullMarked;
