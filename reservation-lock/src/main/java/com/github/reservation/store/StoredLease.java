// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A lease as the store saw it at the moment of the call, by its own clock.
 *
 * @param acquiredAt when the lease was granted; a renewal does not change it. It is for display only
 * @param remaining how long the lease still runs if it is not renewed: positive, because a lease that has ended is not returned
 * @param fence what {@link Acquisition.Granted#fence} was; empty if the store has no fences
 */
public record StoredLease(LeaseId id, Instant acquiredAt, Duration remaining, OptionalLong fence) {

    public StoredLease {
        Objects.requireNonNull(id, "id must not be null");
        Objects.requireNonNull(acquiredAt, "acquiredAt must not be null");
        Objects.requireNonNull(remaining, "remaining must not be null");
        Objects.requireNonNull(fence, "fence must not be null");
    }
}
