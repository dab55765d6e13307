// SPDX-License-Identifier: Apache-2.0
/**
 * Stores that are made of what a user wrote: {@code StrategyLeaseStore} of a {@link com.github.reservation.oracle.LockingStrategy},
 * {@code ProviderLeaseStore} of a {@link com.github.reservation.lease.LockProvider}.
 */
@NullMarked
package com.github.reservation.internal.bridge;

import org.jspecify.annotations.NullMarked;
