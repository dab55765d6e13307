// SPDX-License-Identifier: Apache-2.0
/** Orders that are held for pick-up: reserve, complete, cancel, expire. */
@NullMarked
package com.github.reservation.shop.order;

import org.jspecify.annotations.NullMarked;
