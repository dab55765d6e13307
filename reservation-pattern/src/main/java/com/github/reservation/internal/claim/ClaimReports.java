// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimListener;
import com.github.reservation.internal.base.Listeners;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.claim.ClaimMeters.Count;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** Counts and times what happens to claims, and calls the listeners. Nothing that goes wrong here reaches the caller. */
final class ClaimReports {

    private final Listeners<ClaimEvent> listeners;
    private final ClaimMeters meters;
    private final Ticker ticker;
    private final Optional<Executor> callbacks;

    ClaimReports(ClaimMeters meters, Ticker ticker) {
        this(Listeners.onThisThread(), meters, ticker, Optional.of(Runnable::run));
    }

    private ClaimReports(
            Listeners<ClaimEvent> listeners,
            ClaimMeters meters,
            Ticker ticker,
            Optional<Executor> callbacks) {
        this.listeners = listeners;
        this.meters = meters;
        this.ticker = ticker;
        this.callbacks = callbacks;
    }

    /** Returns the same, but calls the listeners in the executor, or calls none: the transaction may still be rolled back. */
    ClaimReports inTransaction(Optional<Executor> afterCommit) {
        return new ClaimReports(listeners, meters, ticker, afterCommit);
    }

    Registration add(ClaimListener listener) {
        return listeners.add(Objects.requireNonNull(listener, "listener must not be null"), listener::onEvent);
    }

    /** Returns whether a meter or a listener needs them. */
    boolean areWanted() {
        return meters.isOn() || (callbacks.isPresent() && !listeners.isEmpty());
    }

    void count(Count what, String type) {
        meters.count(what, type);
    }

    void publish(Supplier<ClaimEvent> event) {
        if (!listeners.isEmpty()) {
            callbacks.ifPresent(executor -> publish(event, executor));
        }
    }

    private void publish(Supplier<ClaimEvent> event, Executor executor) {
        try {
            executor.execute(() -> listeners.report(event.get()));
        } catch (RuntimeException e) { // As one that is shut down throws it. The change stands.
            Log.warn("An executor refused to call the listeners of a claim", e);
        }
    }

    /** Counts a claim that ended unconfirmed, and publishes its end. */
    void expired(ClaimExpired end) {
        count(Count.EXPIRED, end.type());
        publish(() -> end);
    }

    /** Times a call, by its status. */
    <R> R timed(String operation, Supplier<R> call, Function<R, String> status) {
        if (!meters.isOn()) {
            return call.get();
        }
        long start = ticker.nanos();
        String result = "exception";
        try {
            R returned = call.get();
            result = status.apply(returned);
            return returned;
        } finally {
            meters.time(operation, result, Duration.ofNanos(ticker.nanos() - start));
        }
    }
}
