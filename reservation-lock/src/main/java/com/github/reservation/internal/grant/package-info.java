// SPDX-License-Identifier: Apache-2.0
/**
 * Where a lost lease is noticed and reported. {@link com.github.reservation.internal.grant.Grants} is the entry point; then read
 * {@code LossWatch} for leases that expire, and {@code Losses} for what listeners, log and meters learn.
 */
@NullMarked
package com.github.reservation.internal.grant;

import org.jspecify.annotations.NullMarked;
