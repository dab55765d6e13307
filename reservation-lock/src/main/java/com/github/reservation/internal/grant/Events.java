// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.ReservationEvent;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationListener.Acquiring;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.base.Listeners;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reports what happens to grants to the listeners of a manager, if there are any. */
public final class Events {

    private static final int MOST_PENDING = 10_000;
    private static final Set<String> EVENTS = Set.of("onAcquired", "onRefused", "onRenewed", "onReleased", "onLost");

    /** What a listener receives. */
    private record Event(String domain, String identifier, OptionalLong fencingToken, Duration elapsed)
            implements ReservationEvent {}

    private final String domain;
    private final Ticker ticker;

    /** An event is the call of a method. One thread for each listener keeps them in order. */
    private final Listeners<Consumer<ReservationListener>> listeners;

    /** The listeners that are called on the thread that acquires. */
    private final List<Acquirer> acquirers = new CopyOnWriteArrayList<>();

    /** A listener on the thread that acquires; neither it nor what it returns can throw. A class: two registrations are different. */
    private static final class Acquirer {

        private final ReservationListener listener;
        private final Guard guard;

        Acquirer(ReservationListener listener) {
            this.listener = listener;
            this.guard = Guard.of(listener);
        }

        Acquiring begin(String domain) {
            AtomicReference<Acquiring> begun = new AtomicReference<>(Acquiring.IGNORED);
            guard.run(() -> begun.set(listener.onAcquiring(domain)));
            return (result, failure) -> guard.run(() -> begun.get().end(result, failure));
        }
    }

    public Events(String domain, Ticker ticker) {
        this.domain = domain;
        this.ticker = ticker;
        this.listeners = Listeners.onOtherThreads(ticker, 1, MOST_PENDING);
    }

    /** Adds the listener until the result is closed. It costs only the calls that it overrides. */
    public Registration addListener(ReservationListener listener) {
        Set<String> ignored = Arrays.stream(listener.getClass().getMethods())
                .filter(method -> method.getDeclaringClass() == ReservationListener.class)
                .map(Method::getName)
                .collect(Collectors.toSet());
        Registration events = ignored.containsAll(EVENTS)
                ? () -> {}
                : listeners.add(listener, call -> call.accept(listener));
        Acquirer acquirer = new Acquirer(listener);
        if (!ignored.contains("onAcquiring")) {
            acquirers.add(acquirer);
        }
        return () -> {
            events.close();
            acquirers.remove(acquirer);
        };
    }

    /** Reports on this thread that it begins an acquisition; the caller ends what this returns. */
    public Acquiring acquiring() {
        if (acquirers.isEmpty()) {
            return Acquiring.IGNORED;
        }
        List<Acquiring> begun =
                acquirers.stream().map(each -> each.begin(domain)).toList();
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

    /** Reports that another holder had the key until the wait was over, which began at {@code start}. */
    public void refused(String identifier, long start) {
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
