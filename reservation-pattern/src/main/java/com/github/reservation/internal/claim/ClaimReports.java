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
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.claim.ClaimMeters.Count;
import com.github.reservation.internal.metrics.MeterGuard;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** Counts and times what happens to claims, and calls the listeners. Nothing that goes wrong here reaches the caller. */
final class ClaimReports {

    /** One registration: a listener that is registered twice has two. */
    private static final class Entry {
        private final ClaimListener listener;

        Entry(ClaimListener listener) {
            this.listener = listener;
        }
    }

    private final List<Entry> listeners;
    private final ClaimMeters meters;
    private final Ticker ticker;
    private final Optional<Executor> callbacks;
    private final MeterGuard guard;

    ClaimReports(ClaimMeters meters, Ticker ticker) {
        this(new CopyOnWriteArrayList<>(), meters, new MeterGuard("Claims"), ticker, Optional.of(Runnable::run));
    }

    private ClaimReports(
            List<Entry> listeners, ClaimMeters meters, MeterGuard guard, Ticker ticker, Optional<Executor> callbacks) {
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
        Entry entry = new Entry(Objects.requireNonNull(listener, "listener must not be null"));
        listeners.add(entry);
        return () -> listeners.remove(entry);
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
        guard.run(() -> meters.count(what, type));
    }

    private void publish(ClaimEvent event, Executor executor) {
        try {
            executor.execute(() -> listeners.forEach(entry -> call(entry.listener, event)));
        } catch (RuntimeException e) { // As one that is shut down throws it. The change stands.
            Log.warn("An executor refused to call the listeners of a claim", e);
        }
    }

    private static void call(ClaimListener listener, ClaimEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            Log.warn("A listener failed on " + event, e);
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
            String measured = result;
            guard.run(() -> meters.time(operation, measured, Duration.ofNanos(ticker.nanos() - start)));
        }
    }
}
