// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/**
 * The value in the map of a key that is held, for people to read: {@code holder=main-1@host/4711,acquired=2025-01-01T12:00:00.000Z}.
 *
 * @param holder the part of the holder's name that may be shown
 */
record ReservationValue(String holder, Instant acquired) {

    private static final String HOLDER = "holder=";
    private static final String ACQUIRED = ",acquired=";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);

    static ReservationValue of(LeaseId lease, Instant acquired) {
        String holder = lease.holder();
        int random = holder.lastIndexOf('-');
        return new ReservationValue(random < 0 ? holder : holder.substring(0, random), acquired);
    }

    String text() {
        return HOLDER + holder + ACQUIRED + TIME.format(acquired.atOffset(ZoneOffset.UTC));
    }

    /** Reads a value; empty if it has another format. A holder's name may contain anything, so the last separator counts. */
    static Optional<ReservationValue> parse(String text) {
        int end = text.lastIndexOf(ACQUIRED);
        if (!text.startsWith(HOLDER) || end < HOLDER.length()) {
            return Optional.empty();
        }
        try {
            Instant acquired = LocalDateTime.parse(text.substring(end + ACQUIRED.length()), TIME)
                    .toInstant(ZoneOffset.UTC);
            return Optional.of(new ReservationValue(text.substring(HOLDER.length(), end), acquired));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
