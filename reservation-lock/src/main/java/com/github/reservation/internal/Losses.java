// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells of lost holds: the listeners and the log, each on a thread of its own, and the meters. */
final class Losses {

    private final String domain;
    private final Ticker ticker;
    private final Meters meters;
    private final List<ListenerCalls> listeners = new CopyOnWriteArrayList<>();

    Losses(ManagerSettings settings, Meters meters) {
        this.domain = settings.domain();
        this.ticker = settings.ticker();
        this.meters = meters;
    }

    /** Adds the listener until the result is closed. */
    Registration addListener(LossListener listener) {
        ListenerCalls calls = new ListenerCalls(listener);
        listeners.add(calls);
        return () -> {
            listeners.remove(calls);
            calls.close();
        };
    }

    /** Declares the hold lost; tells of it if nobody did before. */
    void lose(Hold hold, LossReason reason) {
        long now = ticker.nanos();
        if (hold.lose(reason, now)) {
            tell(hold, reason, now);
        }
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
        Threads.startVirtual(
                "reservation-log",
                () -> Log.warn("Reservation " + shown(lost) + " was lost while it was held: " + reason, null));
        recordHeld(hold, lostAt);
        meters.recordExpiration(domain);
    }

    /** Measures a hold that was given back. */
    void recordHeld(Hold hold) {
        if (meters.wantTimes()) {
            recordHeld(hold, ticker.nanos());
        }
    }

    private void recordHeld(Hold hold, long until) {
        meters.recordHeld(domain, Duration.ofNanos(until - hold.acquiredAt));
    }

    static String shown(LostReservation lost) {
        return lost.domain() + ReservationKeyBuilder.DELIMITER + lost.identifier();
    }
}
