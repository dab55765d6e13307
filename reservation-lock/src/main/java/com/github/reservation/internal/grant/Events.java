// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.ReservationEvent;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationListener.Acquiring;
import com.github.reservation.Ticker;
import com.github.reservation.internal.metrics.MeterGuard;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** Reports what happens to grants to the listeners of a manager, if there are any. */
public final class Events {

    private static final int MOST_PENDING = 10_000;

    /** What a listener receives. */
    private record Event(String domain, String identifier, OptionalLong fencingToken, Duration elapsed)
            implements ReservationEvent {}

    /** A method of the listener, and what it receives. */
    private record Call<E>(BiConsumer<ReservationListener, E> method, E event) {

        private void make(ReservationListener listener) {
            method.accept(listener, event);
        }

        @Override
        public String toString() {
            return String.valueOf(event);
        }
    }

    private final String domain;
    private final Ticker ticker;
    private final List<Registered> listeners = new CopyOnWriteArrayList<>();

    /** A listener with its calls. A class and not a record: two registrations of one listener are different. */
    private static final class Registered {

        private final ReservationListener listener;
        private final ListenerCalls<Call<?>> calls;
        private final MeterGuard guard = new MeterGuard("Acquisitions");

        Registered(ReservationListener listener) {
            this.listener = listener;
            this.calls = new ListenerCalls<>(call -> call.make(listener), 1, MOST_PENDING);
        }

        /** Tells the listener on this thread; neither it nor what it returns can throw. */
        Acquiring acquiring(String domain) {
            AtomicReference<Acquiring> begun = new AtomicReference<>(Acquiring.IGNORED);
            guard.run(() -> begun.set(listener.onAcquiring(domain)));
            return (result, failure) -> guard.run(() -> begun.get().end(result, failure));
        }
    }

    public Events(String domain, Ticker ticker) {
        this.domain = domain;
        this.ticker = ticker;
    }

    /** Adds the listener until the result is closed. */
    public Registration addListener(ReservationListener listener) {
        Registered added = new Registered(listener);
        listeners.add(added);
        return () -> {
            listeners.remove(added);
            added.calls.close();
        };
    }

    /** Reports on this thread that it begins an acquisition; the caller ends what this returns. */
    public Acquiring acquiring() {
        if (listeners.isEmpty()) {
            return Acquiring.IGNORED;
        }
        List<Acquiring> begun =
                listeners.stream().map(each -> each.acquiring(domain)).toList();
        return (result, failure) -> begun.reversed().forEach(each -> each.end(result, failure));
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
        call(new Call<>(ReservationListener::onLost, lost));
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
        call(new Call<>(method, event));
    }

    private void call(Call<?> call) {
        listeners.forEach(each -> each.calls.call(call));
    }
}
