// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** The example of the package {@code com.github.reservation.store}; the test kit runs its contract on it. */
// @start region="store"
public final class MapStore implements LeaseStore {

    private record Row(LeaseId lease, long fence, Instant since, long endsAt) {

        boolean runs() {
            return endsAt - System.nanoTime() > 0; // The store's clock decides.
        }

        StoredLease stored() {
            Duration remaining = Duration.ofNanos(endsAt - System.nanoTime());
            return new StoredLease(lease, since, remaining, OptionalLong.of(fence));
        }
    }

    private final Map<String, Row> rows = new ConcurrentHashMap<>();
    private final AtomicLong fences = new AtomicLong();

    @Override
    public Acquisition acquire(AcquireRequest request) {
        AtomicReference<Acquisition> answer = new AtomicReference<>();
        rows.compute(request.lease().key(), (key, row) -> {
            if (row != null && row.runs()) { // Also if it is the lease of the same holder.
                answer.set(new Refused(row.stored().remaining(), false));
                return row;
            }
            long fence = fences.incrementAndGet();
            answer.set(new Granted(OptionalLong.of(fence)));
            return new Row(request.lease(), fence, Instant.now(), endOf(request.leaseTime()));
        });
        return answer.get();
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) {
        Set<LeaseId> renewed = new HashSet<>();
        for (LeaseId id : leases) {
            rows.computeIfPresent(id.key(), (key, row) -> {
                if (!row.lease.equals(id) || !row.runs()) {
                    return row; // It is lost, even if nobody has the key.
                }
                renewed.add(id);
                long end = endOf(lease);
                return new Row(id, row.fence, row.since, end - row.endsAt > 0 ? end : row.endsAt);
            });
        }
        return Renewal.decided(renewed);
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) {
        Set<LeaseId> released = new HashSet<>();
        for (LeaseId id : leases) {
            rows.computeIfPresent(id.key(), (key, row) -> {
                if (!row.lease.equals(id) || !row.runs()) {
                    return row; // The key may be another holder's.
                }
                released.add(id);
                return null;
            });
        }
        return released;
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) {
        return Optional.ofNullable(rows.remove(key)).filter(Row::runs).map(Row::lease);
    }

    @Override
    public Optional<StoredLease> find(String key) {
        return Optional.ofNullable(rows.get(key)).filter(Row::runs).map(Row::stored);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) {
        return rows.values().stream()
                .filter(row -> row.lease.key().startsWith(keyPrefix) && row.runs())
                .map(Row::stored)
                .toList();
    }

    private static long endOf(Duration lease) {
        return System.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(lease), Long.MAX_VALUE / 2);
    }
}
// @end
