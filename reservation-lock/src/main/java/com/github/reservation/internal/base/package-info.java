// SPDX-License-Identifier: Apache-2.0
/**
 * Time: {@link com.github.reservation.internal.base.Reading} reads both clocks, {@link com.github.reservation.internal.base.Trust}
 * says how long a holder may rely on its lease.
 */
@NullMarked
package com.github.reservation.internal.base;

import org.jspecify.annotations.NullMarked;
