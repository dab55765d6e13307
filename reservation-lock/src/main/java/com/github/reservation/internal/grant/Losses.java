// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.base.ListenerCalls;
import com.github.reservation.internal.base.Listeners;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports lost grants to the listeners, the log and the meters. All of them run on other threads, because the thread that finds
 * one loss may have more to find.
 */
public final class Losses {

    /** How many calls of one listener run at the same time; the listeners of single grants count as one together. */
    private static final int THREADS_OF_A_LISTENER = 16;

    private final String domain;
    private final Ticker ticker;
    private final Meters meters;
    private final Listeners<LostReservation> listeners;
    private final Map<Grant, List<GrantListener>> ofGrants = new ConcurrentHashMap<>();
    private final ListenerCalls<Runnable> callsOfGrants;
    private final ListenerCalls<LostReservation> log;
    private final ListenerCalls<Measured> measurements;
    private final Events events;

    /** What is measured of a loss. */
    private record Measured(LossReason reason, Duration held) {}

    /** What a listener receives. */
    private record LostGrant(
            String domain, String identifier, Thread thread, OptionalLong fencingToken, LossReason reason)
            implements LostReservation {}

    /** A listener of one grant. It is called with the context class loader of the thread that made this. */
    private static final class GrantListener {

        private final LossListener listener;
        private final Guard guard;
        private final ClassLoader context = Thread.currentThread().getContextClassLoader();
        private volatile boolean closed;

        GrantListener(LossListener listener) {
            this.listener = listener;
            this.guard = Guard.of(listener);
        }

        void call(LostReservation lost) {
            if (!closed) {
                Thread.currentThread().setContextClassLoader(context);
                guard.run(() -> listener.onLost(lost));
            }
        }
    }

    public Losses(String domain, Ticker ticker, Meters meters) {
        this.domain = domain;
        this.ticker = ticker;
        this.meters = meters;
        this.events = new Events(domain, ticker);
        this.listeners = Listeners.onOtherThreads(ticker, THREADS_OF_A_LISTENER, Integer.MAX_VALUE);
        this.callsOfGrants = calls("A listener failed", Runnable::run, THREADS_OF_A_LISTENER);
        this.log = calls("A loss could not be logged", new LossLog(domain)::log, 1);
        this.measurements = calls("A loss could not be measured", this::measure, 1);
    }

    private <T> ListenerCalls<T> calls(String problem, Consumer<T> call, int mostThreads) {
        return new ListenerCalls<>(ticker, Guard.logging(problem), call, mostThreads, Integer.MAX_VALUE);
    }

    String domain() {
        return domain;
    }

    Meters meters() {
        return meters;
    }

    public Events events() {
        return events;
    }

    /** Adds the listener until the result is closed. Its calls run with the context class loader of the thread that adds it. */
    public Registration addListener(LossListener listener) {
        return listeners.add(listener, listener::onLost);
    }

    /** Adds a listener for this grant alone; it is called at once if the grant was lost and reported before. */
    public Registration addListener(Grant grant, LossListener listener) {
        GrantListener added = new GrantListener(listener);
        ofGrants.merge(grant, List.of(added), Losses::concat);
        // The listener was added before this is read, and a report says that it knows the reason before it looks for listeners:
        // one sees the other.
        if (!grant.isReasonOpen() && (grant.lossReason() != null || grant.isFinished())) {
            callListenersOf(grant);
        }
        return () -> {
            added.closed = true;
            ofGrants.computeIfPresent(grant, (same, all) -> without(added, all));
        };
    }

    /** Calls the listeners of a grant if it was lost. Only one caller gets each listener. */
    private void callListenersOf(Grant grant) {
        List<GrantListener> listenersOfGrant = ofGrants.remove(grant);
        LossReason reason = grant.lossReason();
        if (listenersOfGrant != null && reason != null) {
            LostReservation lost = lost(grant, reason);
            listenersOfGrant.forEach(listener -> callsOfGrants.call(() -> listener.call(lost)));
        }
    }

    private static <T> List<T> concat(List<T> some, List<T> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static <T> @Nullable List<T> without(T one, List<T> all) {
        List<T> others = all.stream().filter(other -> !other.equals(one)).toList();
        return others.isEmpty() ? null : others;
    }

    /** Declares the grants lost, all of them before the first is reported; reports those that were not lost before. */
    void lose(List<Grant> grants, LossReason reason) {
        long now = ticker.nanos();
        List<Grant> lost =
                grants.stream().filter(grant -> grant.lose(reason, now)).toList();
        lost.forEach(grant -> report(grant, reason, now));
    }

    /** Declares the grant lost if it may not be trusted any more; reports it if it was not lost before. */
    void loseIfOverdue(Grant grant) {
        Reading now = Reading.of(ticker);
        if (grant.loseIfOverdue(now)) {
            report(grant, Objects.requireNonNull(grant.lossReason()), now.nanos());
        }
    }

    /** Declares grants lost whose leases the store does not have any more; returns those that were not lost or ended before. */
    List<Grant> loseGone(List<Grant> grants) {
        Reading now = Reading.of(ticker);
        return grants.stream().filter(grant -> grant.loseGone(now)).toList();
    }

    /** Reports a loss that was found when the grant had just been ended, or whose reason was found afterwards. */
    void report(Grant grant, LossReason reason) {
        grant.foundLost(reason);
        report(grant, reason, ticker.nanos());
    }

    private void report(Grant grant, LossReason reason, long lostAt) {
        LostReservation lost = lost(grant, reason);
        listeners.report(lost);
        callListenersOf(grant);
        events.lost(lost);
        log.call(lost);
        measurements.call(new Measured(reason, Duration.ofNanos(lostAt - grant.acquiredAt())));
    }

    private LostReservation lost(Grant grant, LossReason reason) {
        return new LostGrant(domain, grant.identifier(), grant.thread(), grant.fence(), reason);
    }

    private void measure(Measured loss) {
        meters.recordHeld(domain, loss.held);
        meters.recordLoss(domain, loss.reason);
        meters.recordExpiration(domain);
    }

    /** Forgets the listeners of a grant whose release has ended. If it was lost, a report has called them or is about to. */
    void forget(Grant grant) {
        grant.finish();
        if (grant.lossReason() == null && !ofGrants.isEmpty()) {
            ofGrants.remove(grant);
        }
    }

    /** Measures and reports a grant that was released. */
    void released(Grant grant) {
        events.released(grant);
        if (meters.wantTimes()) {
            if (grant.wasNearMiss()) {
                meters.recordNearMiss(domain);
            }
            meters.recordHeld(domain, Duration.ofNanos(ticker.nanos() - grant.acquiredAt()));
        }
    }
}
