// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimListener;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.claim.ClaimMeters.Count;
import com.github.reservation.internal.metrics.MeterGuard;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** Counts and times what happens to claims, and calls the listeners. Nothing that goes wrong here reaches the caller. */
final class ClaimReports {

    private final ClaimListeners listeners;
    private final ClaimMeters meters;
    private final Ticker ticker;
    private final Optional<Executor> callbacks;
    private final MeterGuard guard;

    ClaimReports(ClaimMeters meters, Ticker ticker) {
        this(new ClaimListeners(), meters, new MeterGuard("Claims"), ticker, Optional.of(Runnable::run));
    }

    private ClaimReports(
            ClaimListeners listeners,
            ClaimMeters meters,
            MeterGuard guard,
            Ticker ticker,
            Optional<Executor> callbacks) {
        this.listeners = listeners;
        this.meters = meters;
        this.guard = guard;
        this.ticker = ticker;
        this.callbacks = callbacks;
    }

    /** Returns the same, but calls the listeners in the executor, or calls none: the transaction may still be rolled back. */
    ClaimReports inTransaction(Optional<Executor> afterCommit) {
        return new ClaimReports(listeners, meters, guard, ticker, afterCommit);
    }

    Registration add(ClaimListener listener) {
        return listeners.add(listener);
    }

    /** Returns whether a meter or a listener needs them. */
    boolean areWanted() {
        return meters.isOn() || (callbacks.isPresent() && !listeners.isEmpty());
    }

    void count(Count what, String type) {
        guard.run(() -> meters.count(what, type));
    }

    void publish(Supplier<ClaimEvent> event) {
        if (!listeners.isEmpty()) {
            callbacks.ifPresent(executor -> publish(event, executor));
        }
    }

    private void publish(Supplier<ClaimEvent> event, Executor executor) {
        try {
            executor.execute(() -> listeners.publish(event));
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
            String measured = result;
            guard.run(() -> meters.time(operation, measured, Duration.ofNanos(ticker.nanos() - start)));
        }
    }
}
