// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationManager;
import org.jspecify.annotations.Nullable;

/** Lets tests look at what a manager keeps, to prove that nothing is left behind. */
public final class ManagerProbe {

    private final StoreReservationManager manager;

    public ManagerProbe(ReservationManager manager) {
        this.manager = (StoreReservationManager) manager;
    }

    /** Returns how many threads wait for the key. */
    public int waiters(String key) {
        return manager.queue().size(key);
    }

    /** Returns whether no hold, no grant, no waiter and no pending release is left. */
    public boolean isEmpty() {
        return manager.holdTable().size() == 0
                && manager.grants().isEmpty()
                && manager.queue().isEmpty()
                && manager.store().isIdle();
    }

    /** Returns how many holds are known, lost ones included. */
    public int holds() {
        return manager.holdTable().size();
    }

    /** Returns whether there is a thread that watches the deadlines. */
    public boolean isWatching() {
        return watchThread() != null;
    }

    /** Returns the thread that renews leases; null if there is none. */
    public @Nullable Thread renewalThread() {
        return manager.grants().renewalThread();
    }

    @Nullable Thread watchThread() {
        return manager.grants().watchThread();
    }

    @Override
    public String toString() {
        return "holds " + holds() + ", grants empty " + manager.grants().isEmpty() + ", queues empty "
                + manager.queue().isEmpty() + ", releases idle " + manager.store().isIdle();
    }
}
