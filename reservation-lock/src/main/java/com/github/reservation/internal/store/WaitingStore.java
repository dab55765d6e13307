// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.store;

import java.time.Duration;

/** A store that can park a waiter itself, so that the core need not ask again and again. */
public interface WaitingStore extends LeaseStore {

    /**
     * Asks for the key and waits for it up to {@code patience}. A lease begins when the store grants it, which the caller
     * cannot see: so the store asks for as much more as it takes to have the lease time run from the return of this call, or
     * from the end of {@code patience} if that is earlier.
     *
     * @throws InterruptedException if the thread was interrupted; then nothing is acquired, now or later
     */
    Acquisition acquire(AcquireRequest request, Duration patience) throws StoreException, InterruptedException;
}
