// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Instruments.Latest;
import com.github.reservation.internal.metrics.Instruments.Meter;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What is measured of an outbox. Tags carry the table and the id of a listener, never a key. */
public final class OutboxMeters {

    private static final String PREFIX = "reservation.outbox.";
    private static final String EVENTS = "events";

    private static final Meter PENDING =
            new Meter(PREFIX + "pending", "Events that wait, when last counted", EVENTS);
    private static final Meter PARKED =
            new Meter(PREFIX + "parked_now", "Events that are parked, when last counted", EVENTS);
    private static final Meter OLDEST =
            new Meter(PREFIX + "oldest", "Age of the oldest event, when last counted", "seconds");
    private static final Meter SLOW =
            new Meter(PREFIX + "slow", "Deliveries that have been under way for more than a second");

    /** Reports nothing. */
    public static final OutboxMeters NONE = new OutboxMeters(Instruments.NONE, Meters.NONE);

    /** What is counted for a listener. */
    enum Count {
        DELIVERED("delivered", "Deliveries that succeeded"), FAILED("failed", "Attempts that failed"), PARKED("parked",
                "Deliveries that failed too often");

        private final String meter;
        private final String description;

        Count(String name, String description) {
            this.meter = PREFIX + name;
            this.description = description;
        }

        private Meter meter() {
            return new Meter(meter, description);
        }
    }

    private final Instruments instruments;
    private final Meters stores;
    private final Latest pending;
    private final Latest parked;
    private final Latest oldest;
    private final Guard guard = Guard.logging("An outbox cannot be measured");

    private OutboxMeters(Instruments instruments, Meters stores) {
        this.instruments = instruments;
        this.stores = stores;
        this.pending = instruments.latest(PENDING);
        this.parked = instruments.latest(PARKED);
        this.oldest = instruments.latest(OLDEST);
    }

    /** Returns meters for the registry, or none. */
    public static OutboxMeters of(@Nullable Object registry, String table) {
        return registry == null
                ? NONE
                : new OutboxMeters(Instruments.of(registry, "An outbox", "table", table), Meters.of(registry, "jdbc"));
    }

    /** Returns whether anybody looks at the meters. */
    boolean isOn() {
        return instruments.areOn();
    }

    void count(Count what, String listener, int events) {
        instruments.count(what.meter(), events, "listener", listener);
    }

    /** Shows the backlog until the meters are closed. */
    void show(OutboxBacklog backlog) {
        pending.show((double) backlog.pending());
        parked.show((double) backlog.parked());
        oldest.show(backlog.oldest().map(age -> age.toMillis() / 1000.0).orElse(0.0));
    }

    /** Shows how many deliveries to a listener have been under way for long, until the registration is closed. */
    Registration trackSlow(String listener, IntSupplier deliveries) {
        List<Registration> tracked = new ArrayList<>();
        guard.run(() -> tracked.add(instruments.sum(SLOW, deliveries, "listener", listener)));
        return () -> tracked.forEach(Registration::close);
    }

    /** Counts a call that the store did not answer. */
    void storeError(StoreException failure) {
        stores.recordStoreError("outbox", failure);
    }

    /** Removes what shows the backlog. */
    void close() {
        pending.close();
        parked.close();
        oldest.close();
    }
}
