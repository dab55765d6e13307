// SPDX-License-Identifier: Apache-2.0
/**
 * Work under a lock, and locks that no thread owns. {@link com.github.reservation.lease.LockManager} is the entry point; every
 * {@link com.github.reservation.ReservationManager} is one. {@link com.github.reservation.lease.LockProvider} acquires, renews and
 * releases plain leases.
 */
@NullMarked
package com.github.reservation.lease;

import org.jspecify.annotations.NullMarked;
