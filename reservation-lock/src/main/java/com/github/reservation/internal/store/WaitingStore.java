// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.store;

import java.time.Duration;

/** A store that can park a waiter itself, so that the core need not ask again and again. */
public interface WaitingStore extends LeaseStore {

    /**
     * Asks for the key and waits for it up to {@code patience}.
     *
     * @throws InterruptedException if the thread was interrupted; then nothing is acquired, now or later
     */
    Acquisition acquire(AcquireRequest request, Duration patience) throws StoreException, InterruptedException;
}
