// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.internal.store.Log;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells of lost holds: every listener and the log, each on a thread of its own, and the meters. */
final class Losses {

    private final ManagerSettings settings;
    private final Meters meters;
    private final List<LossListener> listeners = new CopyOnWriteArrayList<>();

    Losses(ManagerSettings settings, Meters meters) {
        this.settings = settings;
        this.meters = meters;
    }

    void addListener(LossListener listener) {
        listeners.add(listener);
    }

    /** Declares the hold lost; tells of it if nobody did before. */
    void lose(Hold hold, LossReason reason) {
        long now = settings.ticker().nanos();
        if (hold.lose(reason, now)) {
            tell(hold, reason, now);
        }
    }

    /** Declares the hold lost if it may not be trusted any more; tells of it if nobody did before. */
    void loseIfOverdue(Hold hold) {
        long now = settings.ticker().nanos();
        if (hold.loseIfOverdue(now)) {
            tell(hold, hold.lossReason(), now);
        }
    }

    /** Tells of a loss that was found when the hold had just been ended. */
    void tell(Hold hold, LossReason reason) {
        tell(hold, reason, settings.ticker().nanos());
    }

    private void tell(Hold hold, LossReason reason, long lostAt) {
        LostReservation lost =
                new LostReservation(settings.domain(), hold.identifier, hold.thread, hold.fence, reason);
        listeners.forEach(listener -> aside(() -> tell(listener, lost)));
        aside(() -> Log.warn("Reservation " + shown(lost) + " was lost while it was held: " + reason, null));
        recordHeld(hold, lostAt);
        meters.recordExpiration(settings.domain());
    }

    /** Does what may take its time on a thread of its own: the next loss must not wait for it. */
    private void aside(Runnable task) {
        Thread.ofVirtual().name("reservation-lost-" + settings.domain()).start(task);
    }

    /** Measures a hold that was given back. */
    void recordHeld(Hold hold) {
        if (meters.wantTimes()) {
            recordHeld(hold, settings.ticker().nanos());
        }
    }

    private void recordHeld(Hold hold, long until) {
        meters.recordHeld(settings.domain(), Duration.ofNanos(until - hold.acquiredAt));
    }

    private static void tell(LossListener listener, LostReservation lost) {
        try {
            listener.onLost(lost);
        } catch (Throwable e) {
            Log.warn("A listener failed on the loss of " + shown(lost), e);
        }
    }

    private static String shown(LostReservation lost) {
        return lost.domain() + ReservationKeyBuilder.DELIMITER + lost.identifier();
    }
}
