// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells of lost holds: the listeners, the log and the meters. All of them are called on other threads, because whoever finds a
 * loss may have to find more.
 */
final class Losses {

    private static final int THREADS_OF_A_LISTENER = 16;

    private final String domain;
    private final Ticker ticker;
    private final Meters meters;
    private final List<ListenerCalls<LostReservation>> listeners = new CopyOnWriteArrayList<>();
    private final ListenerCalls<LostReservation> log = new ListenerCalls<>(this::log, 1);
    private final ListenerCalls<Duration> measurements = new ListenerCalls<>(this::measure, 1);

    Losses(ManagerSettings settings, Meters meters) {
        this.domain = settings.domain();
        this.ticker = settings.ticker();
        this.meters = meters;
    }

    /** Adds the listener until the result is closed. It sees the context class loader of the thread that adds it. */
    Registration addListener(LossListener listener) {
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

    /** Declares the hold lost; tells of it if nobody did before. */
    void lose(Hold hold, LossReason reason) {
        lose(List.of(hold), reason);
    }

    /** Declares the holds lost, all of them before the first is told; tells of those that nobody told of before. */
    void lose(List<Hold> holds, LossReason reason) {
        long now = ticker.nanos();
        List<Hold> lost =
                holds.stream().filter(hold -> hold.lose(reason, now)).toList();
        lost.forEach(hold -> tell(hold, reason, now));
    }

    /** Declares the hold lost if it may not be trusted any more; tells of it if nobody did before. */
    void loseIfOverdue(Hold hold) {
        Reading now = Reading.of(ticker);
        if (hold.loseIfOverdue(now)) {
            tell(hold, hold.lossReason(), now.nanos());
        }
    }

    /** Tells of a loss that was found when the hold had just been ended. */
    void tell(Hold hold, LossReason reason) {
        tell(hold, reason, ticker.nanos());
    }

    private void tell(Hold hold, LossReason reason, long lostAt) {
        LostReservation lost = new LostHold(domain, hold.identifier, hold.thread, hold.fence, reason);
        listeners.forEach(listener -> listener.tell(lost));
        log.tell(lost);
        measurements.tell(Duration.ofNanos(lostAt - hold.acquiredAt));
    }

    private void log(LostReservation lost) {
        String key = domain + ReservationKeyBuilder.DELIMITER + lost.identifier();
        Log.warn("Reservation " + key + " was lost while it was held: " + lost.reason(), null);
    }

    private void measure(Duration held) {
        meters.recordHeld(domain, held);
        meters.recordExpiration(domain);
    }

    /** Measures a hold that was given back. */
    void recordHeld(Hold hold) {
        if (meters.wantTimes()) {
            meters.recordHeld(domain, Duration.ofNanos(ticker.nanos() - hold.acquiredAt));
        }
    }
}
