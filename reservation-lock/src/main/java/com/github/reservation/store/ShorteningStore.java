// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;

/** A store that may grant or renew a lease for a shorter time than was asked for. */
public interface ShorteningStore extends LeaseStore {

    /** Returns how long the lease runs, counted from the last request that was answered; at most {@code asked}. */
    Duration granted(LeaseId lease, Duration asked);
}
