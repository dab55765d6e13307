// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

/**
 * A store that cannot renew leases: each ends when it was first to end. {@link #renew} is never called, so it may throw
 * {@link UnsupportedOperationException}. A thread that locks again what it holds only counts. A manager with {@code autoRenew} cannot be
 * built on such a store, and its {@code renew()} throws.
 */
public interface FixedLeaseStore extends LeaseStore {}
