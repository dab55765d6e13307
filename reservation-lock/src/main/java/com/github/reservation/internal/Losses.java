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
        if (hold.lose(reason, settings.ticker().nanos())) {
            tell(hold, reason);
        }
    }

    /** Declares the hold lost if it may not be trusted any more; tells of it if nobody did before. */
    void loseIfOverdue(Hold hold) {
        if (hold.loseIfOverdue(settings.ticker().nanos())) {
            tell(hold, hold.lossReason());
        }
    }

    /** Tells of a loss that was found when the hold had just been ended. */
    void tell(Hold hold, LossReason reason) {
        LostReservation lost =
                new LostReservation(settings.domain(), hold.identifier, hold.thread, hold.fence, reason);
        listeners.forEach(listener -> aside(() -> tell(listener, lost)));
        aside(() -> Log.warn("Reservation " + shown(lost) + " was lost while it was held: " + reason, null));
        recordHeld(hold);
        meters.recordExpiration(settings.domain());
    }

    /** Does what may take its time on a thread of its own: the next loss must not wait for it. */
    private void aside(Runnable task) {
        Thread.ofVirtual().name("reservation-lost-" + settings.domain()).start(task);
    }

    /** Measures a hold that is over. */
    void recordHeld(Hold hold) {
        if (meters.wantTimes()) {
            Duration held = Duration.ofNanos(settings.ticker().nanos() - hold.acquiredAt);
            meters.recordHeld(settings.domain(), held);
        }
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
