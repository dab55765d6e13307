// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Logs that the store stopped answering, and that it answers again: once for each change. */
final class StoreHealth {

    private final String domain;
    private final AtomicBoolean failing = new AtomicBoolean();

    StoreHealth(String domain) {
        this.domain = domain;
    }

    void answered() {
        if (failing.get() && failing.compareAndSet(true, false)) {
            Log.info("The store of domain " + domain + " answers again");
        }
    }

    void failed(StoreException e) {
        if (failing.compareAndSet(false, true)) {
            Log.warn("The store of domain " + domain + " does not answer: " + e.kind(), e);
        }
    }
}
