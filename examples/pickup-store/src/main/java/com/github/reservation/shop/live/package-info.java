// SPDX-License-Identifier: Apache-2.0
/** Changes that reach the browser by themselves. */
@NullMarked
package com.github.reservation.shop.live;

import org.jspecify.annotations.NullMarked;
