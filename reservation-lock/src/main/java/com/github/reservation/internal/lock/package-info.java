// SPDX-License-Identifier: Apache-2.0
/**
 * The reservation: a {@link java.util.concurrent.locks.Lock} over a grant. {@code StoreReservation} is the one lock of this library:
 * read its essay first. Then {@code HoldLifecycle} for how locks begin and end, {@code HoldTable} for reentrancy, {@code NamedLocks} and
 * {@code Work} for work and handles.
 */
@NullMarked
package com.github.reservation.internal.lock;

import org.jspecify.annotations.NullMarked;
