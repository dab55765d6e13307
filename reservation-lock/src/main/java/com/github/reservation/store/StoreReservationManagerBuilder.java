// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.waiting.PollIntervals;
import java.time.Duration;
import java.util.Objects;

/** Builds managers on your own {@link LeaseStore}. Keys are {@code domain::identifier}, so several domains can share a store. */
public final class StoreReservationManagerBuilder
        extends AbstractReservationManagerBuilder<StoreReservationManagerBuilder> {

    private final LeaseStore store;
    private Duration pollInterval = Duration.ofMillis(10);
    private Duration maxPollInterval = Duration.ofMillis(100);
    private Ticker ticker = Ticker.system();

    /** Creates a builder, like {@link ReservationManager#on(LeaseStore)}. */
    public StoreReservationManagerBuilder(LeaseStore store) {
        this.store = Objects.requireNonNull(store, "store must not be null");
    }

    /**
     * Sets the shortest pause between two polls of a waiter. Default: 10 ms. If the store says when it granted the key, a waiter pauses for
     * a sixteenth of the time since then, but not shorter than this; else pauses start here and double. A waiter in the queue of a store
     * that {@linkplain SignallingStore#canSignal() can signal} does not need this option.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public StoreReservationManagerBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = PollIntervals.requireValid("pollInterval", pollInterval);
        return this;
    }

    /**
     * Sets the longest pause between two polls of a waiter. Default: 100 ms. The grace of a {@link QueueingStore} should be longer.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public StoreReservationManagerBuilder maxPollInterval(Duration maxPollInterval) {
        this.maxPollInterval = PollIntervals.requireValid("maxPollInterval", maxPollInterval);
        return this;
    }

    /**
     * Sets the time by which the manager waits, and by which it trusts its leases. Default: {@link Ticker#system()}. For tests, with a
     * {@link com.github.reservation.memory.ManualTicker} that is the clock of the store, too.
     */
    public StoreReservationManagerBuilder ticker(Ticker ticker) {
        this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
        return this;
    }

    /**
     * Builds the manager without a call to the store, except {@link SignallingStore#subscribe}.
     *
     * @throws IllegalStateException if no domain was set, if {@code pollInterval} is longer than {@code maxPollInterval}, if the longest
     *     hold of {@code autoRenew} is shorter than the lease time, or if {@code autoRenew} is set and the store cannot renew
     */
    @Override
    public ReservationManager build() {
        String domain = requireDomain();
        PollIntervals.requireOrdered(pollInterval, maxPollInterval);
        return new StoreReservationManager(
                store,
                new ManagerSettings(
                        domain,
                        leaseTime(),
                        true,
                        pollInterval,
                        maxPollInterval,
                        ticker,
                        Meters.of(meterRegistry(), "store"))
                        .autoRenew(maxHold())
                        .holderLabel(holderLabel()));
    }
}
