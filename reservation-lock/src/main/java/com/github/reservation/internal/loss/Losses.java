// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.loss;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.ReservationKeyBuilder;
import com.github.reservation.internal.time.Reading;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Reports lost grants to the listeners, the log and the meters. All of them run on other threads, because the thread that finds
 * one loss may have more to find.
 */
public final class Losses {

    private static final int THREADS_OF_A_LISTENER = 16;

    private final String domain;
    private final Ticker ticker;
    private final Meters meters;
    private final List<ListenerCalls<LostReservation>> listeners = new CopyOnWriteArrayList<>();
    private final ListenerCalls<LostReservation> log = new ListenerCalls<>(this::log, 1);
    private final ListenerCalls<Duration> measurements = new ListenerCalls<>(this::measure, 1);

    public Losses(String domain, Ticker ticker, Meters meters) {
        this.domain = domain;
        this.ticker = ticker;
        this.meters = meters;
    }

    /** Adds the listener until the result is closed. Its calls run with the context class loader of the thread that adds it. */
    public Registration addListener(LossListener listener) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ListenerCalls<LostReservation> calls = new ListenerCalls<>(
                lost -> {
                    Thread.currentThread().setContextClassLoader(context);
                    listener.onLost(lost);
                },
                THREADS_OF_A_LISTENER);
        listeners.add(calls);
        return () -> {
            listeners.remove(calls);
            calls.close();
        };
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
            report(grant, grant.lossReason(), now.nanos());
        }
    }

    /** Reports a loss that was found when the grant had just been ended. */
    void report(Grant grant, LossReason reason) {
        report(grant, reason, ticker.nanos());
    }

    private void report(Grant grant, LossReason reason, long lostAt) {
        LostReservation lost = new LostGrant(domain, grant.identifier(), grant.thread(), grant.fence(), reason);
        listeners.forEach(listener -> listener.call(lost));
        log.call(lost);
        measurements.call(Duration.ofNanos(lostAt - grant.acquiredAt()));
    }

    private void log(LostReservation lost) {
        String key = domain + ReservationKeyBuilder.DELIMITER + lost.identifier();
        Log.warn("Reservation " + key + " was lost while it was held: " + lost.reason(), null);
    }

    private void measure(Duration held) {
        meters.recordHeld(domain, held);
        meters.recordExpiration(domain);
    }

    /** Measures a grant that was released. */
    void recordHeld(Grant grant) {
        if (meters.wantTimes()) {
            meters.recordHeld(domain, Duration.ofNanos(ticker.nanos() - grant.acquiredAt()));
        }
    }
}
