// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.LeaseStore;

/** The parts of one manager, put together once. */
record Core(
        ManagerSettings settings,
        Meters meters,
        LeaseStore store,
        StoreCalls calls,
        Cleaner cleaner,
        LocalQueue queue,
        HoldTable holds,
        Losses losses,
        LossSignals signals,
        LossWatch watch,
        Node node) {

    static Core of(LeaseStore store, ManagerSettings settings) {
        Ticker ticker = settings.ticker();
        StoreCalls calls = new StoreCalls(store, ticker, new StoreHealth(settings.domain(), ticker));
        LocalQueue queue = new LocalQueue();
        HoldTable holds = new HoldTable();
        Meters meters = new GuardedMeters(settings.meters());
        Losses losses = new Losses(settings, meters);
        return new Core(
                settings,
                meters,
                store,
                calls,
                new Cleaner(store, calls, ticker, settings.domain(), queue::wake),
                queue,
                holds,
                losses,
                new LossSignals(holds, losses),
                new LossWatch(holds, losses, ticker),
                new Node());
    }

    Ticker ticker() {
        return settings.ticker();
    }
}
