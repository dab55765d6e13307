// SPDX-License-Identifier: Apache-2.0
/**
 * Locks and leases that no thread owns. {@code StoreLockManager} and its {@code GrantedLock} are the entry points for locks,
 * {@code StoreLockProvider} for leases by execution id.
 */
@NullMarked
package com.github.reservation.internal.lease;

import org.jspecify.annotations.NullMarked;
