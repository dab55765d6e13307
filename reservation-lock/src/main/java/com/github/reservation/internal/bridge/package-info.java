// SPDX-License-Identifier: Apache-2.0
/**
 * Locks that are kept by a user's strategy. {@code StrategyLeases} is the entry point: it makes a store of a
 * {@link com.github.reservation.oracle.LockingStrategy}.
 */
@NullMarked
package com.github.reservation.internal.bridge;

import org.jspecify.annotations.NullMarked;
