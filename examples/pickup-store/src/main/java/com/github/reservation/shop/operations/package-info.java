// SPDX-License-Identifier: Apache-2.0
/** What the operator sees. */
@NullMarked
package com.github.reservation.shop.operations;

import org.jspecify.annotations.NullMarked;
