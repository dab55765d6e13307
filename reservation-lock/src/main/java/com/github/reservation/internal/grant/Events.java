// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.ReservationEvent;
import com.github.reservation.ReservationListener;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Listeners;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Reports what happens to grants to the listeners of a manager, if there are any. */
public final class Events {

    private static final int MOST_PENDING = 10_000;

    /** What a listener receives. */
    private record Event(String domain, String identifier, OptionalLong fencingToken, Duration elapsed)
            implements ReservationEvent {}

    private final String domain;
    private final Ticker ticker;

    /** An event is the call of a method. One thread for each listener keeps them in order. */
    private final Listeners<Consumer<ReservationListener>> listeners;

    public Events(String domain, Ticker ticker) {
        this.domain = domain;
        this.ticker = ticker;
        this.listeners = Listeners.onOtherThreads(ticker, 1, MOST_PENDING);
    }

    /** Adds the listener until the result is closed. */
    public Registration addListener(ReservationListener listener) {
        return listeners.add(listener, call -> call.accept(listener));
    }

    void acquired(Grant grant) {
        report(grant, ReservationListener::onAcquired);
    }

    void renewed(Grant grant) {
        report(grant, ReservationListener::onRenewed);
    }

    void released(Grant grant) {
        report(grant, ReservationListener::onReleased);
    }

    void refused(String identifier, long start) {
        if (!listeners.isEmpty()) {
            report(identifier, OptionalLong.empty(), start, ReservationListener::onRefused);
        }
    }

    void lost(LostReservation lost) {
        listeners.report(listener -> listener.onLost(lost));
    }

    private void report(Grant grant, BiConsumer<ReservationListener, ReservationEvent> method) {
        if (!listeners.isEmpty()) {
            report(grant.identifier(), grant.fence(), grant.acquiredAt(), method);
        }
    }

    private void report(
            String identifier,
            OptionalLong fence,
            long start,
            BiConsumer<ReservationListener, ReservationEvent> method) {
        ReservationEvent event = new Event(domain, identifier, fence, Duration.ofNanos(ticker.nanos() - start));
        listeners.report(listener -> method.accept(listener, event));
    }
}
