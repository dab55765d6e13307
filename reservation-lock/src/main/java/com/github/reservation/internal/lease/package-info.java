// SPDX-License-Identifier: Apache-2.0
/** Leases by execution id: {@link com.github.reservation.internal.lease.StoreLockProvider} is the entry point. */
@NullMarked
package com.github.reservation.internal.lease;

import org.jspecify.annotations.NullMarked;
