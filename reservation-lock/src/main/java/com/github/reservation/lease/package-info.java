// SPDX-License-Identifier: Apache-2.0
/**
 * Locks that belong to an execution instead of a thread. {@link com.github.reservation.lease.LockProvider} is the entry point; get
 * one from {@link com.github.reservation.ReservationManager#lockProvider()}.
 */
@NullMarked
package com.github.reservation.lease;

import org.jspecify.annotations.NullMarked;
