// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.ReservationInfo;
import java.util.Optional;
import java.util.function.Supplier;

/** What became of the {@link LockRequest} of a call: its lock, or the news that the lock is busy. */
sealed interface Acquisition permits CallLock, Acquisition.Busy {

    /**
     * Another caller held the lock until the wait ended.
     *
     * @param holder looks who holds the lock; never throws
     */
    record Busy(Supplier<Optional<ReservationInfo>> holder) implements Acquisition {}
}
