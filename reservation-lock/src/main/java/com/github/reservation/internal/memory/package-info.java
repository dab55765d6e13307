// SPDX-License-Identifier: Apache-2.0
/**
 * Leases in the memory of one JVM. {@link com.github.reservation.internal.memory.MemoryLeaseStore} is the entry point, then read
 * {@link com.github.reservation.internal.base.LeaseRow}, which says whose turn it is.
 */
@NullMarked
package com.github.reservation.internal.memory;

import org.jspecify.annotations.NullMarked;
