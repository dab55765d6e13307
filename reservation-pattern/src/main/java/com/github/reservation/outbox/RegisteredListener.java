// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A listener for which events are kept, as the database knows it.
 *
 * @param id its id
 * @param types the names of the types that it wants, each with the time at which an instance last said so. A running instance says so
 *     every ten seconds
 * @param pending how many events wait for it
 * @param parked how many other events are parked for it: it failed with them for too long
 * @param oldest how long ago the oldest of all these events was appended; empty if there is none
 */
public record RegisteredListener(
        String id, Map<String, Instant> types, long pending, long parked, Optional<Duration> oldest) {

    public RegisteredListener {
        Objects.requireNonNull(id, "id must not be null");
        types = Collections.unmodifiableMap(new TreeMap<>(types));
        Objects.requireNonNull(oldest, "oldest must not be null");
    }

    /** Returns when an instance last had the listener; empty if it is forgotten, and only events are left. */
    public Optional<Instant> lastSeen() {
        return types.values().stream().max(Comparator.naturalOrder());
    }
}
