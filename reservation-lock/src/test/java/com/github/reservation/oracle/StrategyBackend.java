// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.Ticker;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.bridge.StrategyLeaseStore;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import java.util.function.Function;

/** Nodes that share one strategy that a user has written, in a time that a test moves by hand. */
final class StrategyBackend extends TestBackend {

    private final ManualTicker ticker = new ManualTicker();
    private final LeaseStore store;

    StrategyBackend(Function<Ticker, LockingStrategy> strategies) {
        this.store = StrategyLeaseStore.of(strategies.apply(ticker));
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    @Override
    public boolean canRenew() {
        return !(store instanceof FixedLeaseStore);
    }

    @Override
    public boolean hasFencing() {
        return false;
    }

    @Override
    public boolean takesLeasesOfAnyLength() {
        return false;
    }

    @Override
    public boolean passesKeys() {
        return false;
    }

    @Override
    public boolean isFairBetweenNodes() {
        return false;
    }

    @Override
    public Duration stormDuration() {
        return Duration.ofSeconds(2);
    }
}
