// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.internal.metrics.Meters;

import com.github.reservation.outbox.OutboxBacklog;
import java.util.function.IntSupplier;

/** Where an outbox reports what it did. Knows nothing of Micrometer, which need not be there. */
public interface OutboxMeters {

    /** What is counted for a listener. */
    enum Count {
        DELIVERED, FAILED, PARKED
    }

    /** Reports nothing. */
    OutboxMeters NONE = new OutboxMeters() {

        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void count(Count what, String listener, int events) {}

        @Override
        public void show(OutboxBacklog backlog) {}

        @Override
        public Meters.Registration trackSlow(String listener, IntSupplier deliveries) {
            return () -> {};
        }
    };

    /** Returns whether anybody looks at the meters. */
    boolean isOn();

    void count(Count what, String listener, int events);

    /** Shows the backlog until the meters are closed; for one thread. */
    void show(OutboxBacklog backlog);

    /** Shows how many deliveries to a listener have been under way for long, until the registration is closed. */
    Meters.Registration trackSlow(String listener, IntSupplier deliveries);

    /** Removes what shows the backlog; for the thread that showed it. */
    default void close() {}
}
