// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;

/**
 * A store that may grant or renew a lease for a shorter time than was asked for, for example because its server has a limit. A store
 * without this interface must grant the whole time: a holder trusts its lease almost to the end.
 */
public interface ShorteningStore extends LeaseStore {

    /**
     * Returns how long the lease runs, counted from the last {@code acquire} or {@code renew} of it that was answered. It is called after
     * each of them, on the same thread, and must not ask the server again.
     *
     * @param asked the time of that request; the answer is at most as long
     */
    Duration granted(LeaseId lease, Duration asked);
}
