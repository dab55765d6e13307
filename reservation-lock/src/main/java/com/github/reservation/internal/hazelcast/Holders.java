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
 * Finds out who holds what. Hazelcast says whether a key is locked; who has locked it we know ourselves, or from the
 * description that follows a moment later.
 */
final class Holders {

    private final LockMap locks;
    private final Housekeeper housekeeper;
    private final Duration usualLease;

    Holders(LockMap locks, Housekeeper housekeeper, Duration usualLease) {
        this.locks = locks;
        this.housekeeper = housekeeper;
        this.usualLease = usualLease;
    }

    Optional<StoredLease> find(String key) throws StoreException {
        if (!locks.isLocked(key)) {
            return Optional.empty();
        }
        Grant ours = housekeeper.find(key);
        if (ours != null) {
            return Optional.of(ours.stored()).filter(lease -> lease.remaining().isPositive());
        }
        return Optional.of(locks.entry(key).flatMap(this::described).orElseGet(() -> unknown(key)));
    }

    /** Reads who holds the key. What it says of the time is for people: it compares clocks, and nothing depends on it. */
    private Optional<StoredLease> described(EntryView<String, String> entry) {
        return ReservationValue.parse(entry.getValue()).map(value -> {
            Instant end = value.acquired().plusMillis(entry.getTtl());
            Instant prolonged = Instant.ofEpochMilli(entry.getExpirationTime());
            Duration remaining = Duration.between(Instant.now(), end.isAfter(prolonged) ? end : prolonged);
            return new StoredLease(
                    new LeaseId(entry.getKey(), value.holder() + '-'),
                    value.acquired(),
                    remaining.isPositive() ? remaining : Duration.ofMillis(1),
                    OptionalLong.empty());
        });
    }

    /** Somebody who has just come, with a lease like ours for all we know. */
    private StoredLease unknown(String key) {
        return new StoredLease(new LeaseId(key, "unknown-"), Instant.now(), usualLease, OptionalLong.empty());
    }

    List<StoredLease> list(String keyPrefix) throws StoreException {
        Set<String> keys = new HashSet<>(locks.keys());
        housekeeper.all().forEach(grant -> keys.add(grant.lease.key()));
        List<StoredLease> leases = new ArrayList<>();
        for (String key : keys) {
            if (key.startsWith(keyPrefix)) {
                find(key).ifPresent(leases::add);
            }
        }
        return leases;
    }
}
