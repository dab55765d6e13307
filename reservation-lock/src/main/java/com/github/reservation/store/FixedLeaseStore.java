// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

/**
 * A store whose leases end when they were first to end: it cannot renew them, and is never asked to. To hold a key once more
 * then only counts.
 */
public interface FixedLeaseStore extends LeaseStore {}
