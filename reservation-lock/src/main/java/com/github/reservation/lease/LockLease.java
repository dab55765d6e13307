// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import java.time.Instant;
import java.util.Objects;

/**
 * The temporary ownership of a lock by one execution. A value: it does not change when the lease is renewed, released or lost, and it
 * may travel to another process.
 *
 * @param name the name of the lock
 * @param executionId the holder
 * @param expiresAt when the lease ends unless it is renewed, in milliseconds since the epoch. Counted on the clock of the process
 *     that acquired or renewed the lease, from before it sent the request. The store's own clock decides when the lease is over:
 *     compare this value only with the clock of the same process
 */
public record LockLease(String name, String executionId, long expiresAt) {

    /**
     * Makes a lease from its three fields, for example from those that another process has sent.
     *
     * @throws NullPointerException if the name or the execution id is null
     */
    public LockLease {
        Objects.requireNonNull(name, "name must not be null");
        Objects.requireNonNull(executionId, "executionId must not be null");
    }

    /** Returns when the lease ends unless it is renewed. */
    public Instant expiry() {
        return Instant.ofEpochMilli(expiresAt);
    }
}
