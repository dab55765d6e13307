// SPDX-License-Identifier: Apache-2.0
/**
 * The core, not exported: everything about holding and waiting that no backend should know.
 *
 * <p>{@code StoreReservation} is the one {@link java.util.concurrent.locks.Lock}: read its essay first. Then
 * {@code Acquirer} and {@code WaitLoop} for waiting, {@code LocalQueue} for who waits, {@code HoldTable} and {@code Hold} for
 * reentrancy, {@code Trust} for how long a lease is believed, {@code LossWatch} for expiry, {@code StoreCalls} for retries
 * and lost replies.
 */
@NullMarked
package com.github.reservation.internal;

import org.jspecify.annotations.NullMarked;
