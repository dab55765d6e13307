// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Instruments.Meter;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is measured of claims. Tags carry the type, never the value; types beyond the first 100 are one. */
public final class ClaimMeters {

    private static final int MOST_TYPES = 100;
    private static final String OTHER = "other";
    private static final Meter CALLS = new Meter("reservation.claim", "Time of a call on claims");

    /** Reports nothing. */
    public static final ClaimMeters NONE = new ClaimMeters(Instruments.NONE);

    /** What is counted. */
    enum Count {
        RESERVED("reserved", "Values that were reserved"), CONFLICTS("conflicts",
                "Reservations that were refused because of another claim"), CONFIRMED("confirmed",
                        "Claims that were confirmed"), RELEASED("released", "Claims that were released"), EXPIRED(
                                "expired", "Claims that were marked as expired, or taken over after their end");

        private final String meter;
        private final String description;

        Count(String name, String description) {
            this.meter = "reservation.claim." + name;
            this.description = description;
        }

        private Meter meter() {
            return new Meter(meter, description);
        }
    }

    private final Instruments instruments;
    private final Meters stores;
    private final Set<String> types = ConcurrentHashMap.newKeySet();

    private ClaimMeters(Instruments instruments) {
        this.instruments = instruments;
        this.stores = new Meters(instruments);
    }

    /** Returns meters for the registry, or none. */
    public static ClaimMeters of(@Nullable Object registry, String backend) {
        return registry == null ? NONE : new ClaimMeters(Instruments.of(registry, "Claims", "backend", backend));
    }

    /** Returns whether anything is measured at all. */
    boolean isOn() {
        return instruments.areOn();
    }

    /** Counts a change of a claim of a type, or a conflict. */
    void count(Count what, String type) {
        if (isOn()) {
            instruments.count(what.meter(), 1, "type", tag(type));
        }
    }

    /** Returns the tag of a type. A few types too many can get a tag of their own if they come at once. */
    private String tag(String type) {
        if (types.contains(type) || (types.size() < MOST_TYPES && types.add(type))) {
            return type;
        }
        return OTHER;
    }

    /** Times one call. */
    void time(String operation, String result, Duration elapsed) {
        instruments.time(CALLS, elapsed, "operation", operation, "result", result);
    }

    /** Counts a call that the store did not answer. */
    void storeError(StoreException failure) {
        stores.recordStoreError("claims", failure);
    }
}
