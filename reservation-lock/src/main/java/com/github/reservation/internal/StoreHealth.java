// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.StoreException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** Logs that the store stopped answering, and that it answers again: once for each change. */
final class StoreHealth {

    private static final System.Logger LOG = System.getLogger("com.github.reservation");

    private final String domain;
    private final AtomicBoolean failing = new AtomicBoolean();

    StoreHealth(String domain) {
        this.domain = domain;
    }

    void answered() {
        if (failing.get() && failing.compareAndSet(true, false)) {
            LOG.log(Level.INFO, "The store of domain {0} answers again", domain);
        }
    }

    void failed(StoreException e) {
        if (failing.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "The store of domain " + domain + " does not answer: " + e.kind(), e);
        }
    }
}
