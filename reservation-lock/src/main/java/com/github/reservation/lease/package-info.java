// SPDX-License-Identifier: Apache-2.0
/**
 * Locks that no thread owns. {@link com.github.reservation.lease.LockManager} is the entry point; get one from
 * {@link com.github.reservation.ReservationManager#lockManager()}. {@link com.github.reservation.lease.LockProvider} acquires, renews and
 * releases plain leases.
 */
@NullMarked
package com.github.reservation.lease;

import org.jspecify.annotations.NullMarked;
