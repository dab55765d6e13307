// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.ReservationManager;
import org.jspecify.annotations.Nullable;

/** Lets tests look at what a manager keeps, to prove that nothing is left behind. */
public final class CoreProbe {

    private final Core core;

    public CoreProbe(ReservationManager manager) {
        this.core = ((StoreReservationManager) manager).core();
    }

    /** Returns how many threads wait for the key. */
    public int waiters(String key) {
        return core.queue().size(key);
    }

    /** Returns whether no hold, no waiter and no pending release is left. */
    public boolean isEmpty() {
        return core.holds().all().isEmpty() && core.queue().isEmpty() && core.cleaner().isIdle();
    }

    /** Returns how many holds are known, lost ones included. */
    public int holds() {
        return core.holds().all().size();
    }

    /** Returns whether the thread that watches the deadlines is there. */
    public boolean isWatching() {
        return core.watch().thread() != null;
    }

    @Nullable WatchThread watchThread() {
        return core.watch().thread();
    }

    @Override
    public String toString() {
        return "holds " + core.holds().all().size() + ", queues empty " + core.queue().isEmpty() + ", cleaner idle "
                + core.cleaner().isIdle();
    }
}
