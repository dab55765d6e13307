// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.Registration;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Instruments.Latest;
import com.github.reservation.internal.metrics.Instruments.Meter;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What is measured of an outbox. Tags carry the table, the id of a listener and the name of a type, never a key. */
public final class OutboxMeters {

    private static final String PREFIX = "reservation.outbox.";
    private static final String EVENTS = "events";
    private static final String LISTENER = "listener";

    private static final Meter PENDING =
            new Meter(PREFIX + "pending", "Events that wait for a listener, when last counted", EVENTS);
    private static final Meter PARKED =
            new Meter(PREFIX + "parked_now", "Events that are parked for a listener, when last counted", EVENTS);
    private static final Meter OLDEST =
            new Meter(PREFIX + "oldest", "Age of the oldest event of a listener, when last counted", "seconds");
    private static final Meter SLOW =
            new Meter(PREFIX + "slow", "Deliveries that have been under way for more than a second");
    private static final Meter DELIVERED = new Meter(PREFIX + "delivered", "Deliveries that succeeded");
    private static final Meter FAILED = new Meter(PREFIX + "failed", "Attempts that failed");
    private static final Meter PARKED_NEWLY = new Meter(PREFIX + "parked", "Deliveries that failed for too long");
    private static final Meter UNWANTED =
            new Meter(PREFIX + "unwanted", "Events that were not written because nobody listens to their type");

    /** Reports nothing. */
    public static final OutboxMeters NONE = new OutboxMeters(Instruments.NONE, Meters.NONE);

    /** What is shown of a listener. */
    private record Shown(Latest pending, Latest parked, Latest oldest) {

        void show(RegisteredListener listener) {
            pending.show((double) listener.pending());
            parked.show((double) listener.parked());
            oldest.show(listener.oldest().map(age -> age.toMillis() / 1000.0).orElse(0.0));
        }

        /** Shows that it could not be counted. */
        void showNothing() {
            pending.show(Double.NaN);
            parked.show(Double.NaN);
            oldest.show(Double.NaN);
        }

        void close() {
            pending.close();
            parked.close();
            oldest.close();
        }
    }

    private final Instruments instruments;
    private final Meters stores;
    private final Map<String, Shown> shown = new ConcurrentHashMap<>();
    private final Guard guard = Guard.logging("An outbox cannot be measured");

    private OutboxMeters(Instruments instruments, Meters stores) {
        this.instruments = instruments;
        this.stores = stores;
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

    void delivered(String listener, int events) {
        instruments.count(DELIVERED, events, LISTENER, listener);
    }

    void failed(String listener, boolean isParked) {
        instruments.count(FAILED, 1, LISTENER, listener);
        instruments.count(PARKED_NEWLY, isParked ? 1 : 0, LISTENER, listener);
    }

    /** Counts an event that nobody wants. */
    void unwanted(String type) {
        instruments.count(UNWANTED, 1, "type", type);
    }

    /** Shows what waits for each listener, until the meters are closed. A listener that is gone has no more meters. */
    void show(List<RegisteredListener> listeners) {
        Set<String> gone = new HashSet<>(shown.keySet());
        for (RegisteredListener listener : listeners) {
            gone.remove(listener.id());
            shown.computeIfAbsent(listener.id(), this::shownOf).show(listener);
        }
        gone.forEach(id -> Objects.requireNonNull(shown.remove(id)).close());
    }

    void showNothing() {
        shown.values().forEach(Shown::showNothing);
    }

    private Shown shownOf(String id) {
        return new Shown(
                instruments.latest(PENDING, LISTENER, id),
                instruments.latest(PARKED, LISTENER, id),
                instruments.latest(OLDEST, LISTENER, id));
    }

    /** Shows how many deliveries to a listener have been under way for long, until the registration is closed. */
    Registration trackSlow(String listener, IntSupplier deliveries) {
        List<Registration> tracked = new ArrayList<>();
        guard.run(() -> tracked.add(instruments.sum(SLOW, deliveries, LISTENER, listener)));
        return () -> tracked.forEach(Registration::close);
    }

    /** Counts a call that the store did not answer. */
    void storeError(StoreException failure) {
        stores.recordStoreError("outbox", failure);
    }

    /** Removes what shows the backlog. */
    void close() {
        shown.values().forEach(Shown::close);
    }
}
