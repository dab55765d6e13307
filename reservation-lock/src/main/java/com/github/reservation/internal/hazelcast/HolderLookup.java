// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import com.hazelcast.core.EntryView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds out who holds a key. Hazelcast says whether the key is locked. The holder is known if it is this process; otherwise from
 * the description in the map, which follows a moment after the lock.
 */
final class HolderLookup {

    /** Ends the name of a holder that is known from a description alone. No id contains it, so the name is not taken for an id. */
    private static final String NOT_AN_ID = "-\0";

    private final LockMap map;
    private final OwnedLocks owned;
    private final Duration usualLease;

    HolderLookup(LockMap map, OwnedLocks owned, Duration usualLease) {
        this.map = map;
        this.owned = owned;
        this.usualLease = usualLease;
    }

    Optional<StoredLease> find(String key) throws StoreException {
        OwnedLock before = owned.find(key);
        if (!map.isLocked(key)) {
            if (before != null) {
                owned.foundFree(before);
            }
            return Optional.empty();
        }
        OwnedLock ours = owned.find(key);
        if (ours != null) {
            return Optional.of(ours.stored()).filter(lease -> lease.remaining().isPositive());
        }
        return Optional.of(map.entry(key).flatMap(this::described).orElseGet(() -> unknown(key)));
    }

    /** Reads a description. Its times are for people: they compare clocks, and nothing depends on them. */
    private Optional<StoredLease> described(EntryView<String, String> entry) {
        return ReservationValue.parse(entry.getValue()).map(value -> {
            Instant end = value.acquired().plusMillis(entry.getTtl());
            Instant renewedEnd = Instant.ofEpochMilli(entry.getExpirationTime());
            Duration remaining = Duration.between(Instant.now(), end.isAfter(renewedEnd) ? end : renewedEnd);
            return new StoredLease(
                    new LeaseId(entry.getKey(), value.holder() + NOT_AN_ID),
                    value.acquired(),
                    remaining.isPositive() ? remaining : Duration.ofMillis(1),
                    OptionalLong.empty());
        });
    }

    /** Returns the lease of a holder without a description yet, as if it had just begun and were as long as ours. */
    private StoredLease unknown(String key) {
        return new StoredLease(new LeaseId(key, "unknown" + NOT_AN_ID), Instant.now(), usualLease,
                OptionalLong.empty());
    }

    List<StoredLease> list(String keyPrefix) throws StoreException {
        Set<String> keys = new HashSet<>(map.keys());
        owned.all().forEach(lock -> keys.add(lock.lease.key()));
        List<StoredLease> leases = new ArrayList<>();
        for (String key : keys) {
            if (key.startsWith(keyPrefix)) {
                find(key).ifPresent(leases::add);
            }
        }
        return leases;
    }
}
