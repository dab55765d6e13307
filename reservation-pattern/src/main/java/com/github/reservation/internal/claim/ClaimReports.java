// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimListener;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimReserved;
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

    /** Returns whether a meter or a listener needs to know of changes. */
    boolean areWanted() {
        return meters.isOn() || (callbacks.isPresent() && !listeners.isEmpty());
    }

    /** Counts a change, and calls the listeners. */
    void changed(ClaimEvent event) {
        count(countOf(event), event.type());
        if (!listeners.isEmpty()) {
            callbacks.ifPresent(executor -> publish(event, executor));
        }
    }

    private static Count countOf(ClaimEvent event) {
        return switch (event) {
            case ClaimReserved reserved -> Count.RESERVED;
            case ClaimConfirmed confirmed -> Count.CONFIRMED;
            case ClaimReleased released -> Count.RELEASED;
            case ClaimExpired expired -> Count.EXPIRED;
        };
    }

    void count(Count what, String type) {
        meters.count(what, type);
    }

    private void publish(ClaimEvent event, Executor executor) {
        try {
            executor.execute(() -> listeners.report(event));
        } catch (RuntimeException e) { // As one that is shut down throws it. The change stands.
            Log.warn("An executor refused to call the listeners of a claim", e);
        }
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
