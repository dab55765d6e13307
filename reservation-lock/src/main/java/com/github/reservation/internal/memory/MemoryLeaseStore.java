// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.memory;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseRow;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Leases in a map. Each decision is one {@code compute} on the key's row; signals go out after it.
 *
 * <p>A row exists while its key is held or waited for, and after an expiry until it is swept. One counter gives the fences of all
 * keys, inside {@code compute}: so the fence of each key grows although rows come and go.
 */
public final class MemoryLeaseStore implements SignallingStore, QueueingStore {

    /** How long a released key is kept for the first node in line. */
    static final Duration GRACE = Duration.ofMillis(100);

    private static final long FIRST_SWEEP = 1024;

    private final Ticker ticker;
    private final Faults faults;
    private final ConcurrentHashMap<String, LeaseRow> rows = new ConcurrentHashMap<>();
    private final AtomicLong fences = new AtomicLong();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile long sweepAt = FIRST_SWEEP;

    public MemoryLeaseStore(Ticker ticker, Faults faults) {
        this.ticker = ticker;
        this.faults = faults;
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return faults.around(() -> {
            AtomicReference<@Nullable Acquisition> answer = new AtomicReference<>();
            rows.compute(request.lease().key(), (key, row) -> decide(request, row, answer));
            sweepIfGrown();
            return answer.get();
        });
    }

    private LeaseRow decide(AcquireRequest request, @Nullable LeaseRow row,
            AtomicReference<@Nullable Acquisition> answer) {
        long now = ticker.nanos();
        if (row != null && row.leaseAt(now) != null) {
            return refuse(request, row, row.endsAt() - now, answer);
        }
        if (row != null && row.isKeptFromAt(request.node(), now)) {
            return refuse(request, row, row.keptUntil() - now, answer);
        }
        long fence = fences.incrementAndGet();
        answer.set(new Acquisition.Granted(OptionalLong.of(fence)));
        List<String> waiters = row == null ? List.of() : row.waitersAfterGrantTo(request.node());
        return new LeaseRow(request.lease(), fence, now, now + LeaseTimes.nanos(request.leaseTime()), waiters, now);
    }

    private static LeaseRow refuse(
            AcquireRequest request, LeaseRow row, long remaining, AtomicReference<@Nullable Acquisition> answer) {
        LeaseRow marked = request.waits() ? row.withWaiter(request.node()) : row;
        answer.set(new Acquisition.Refused(
                Duration.ofNanos(remaining), marked.waiters().contains(request.node())));
        return marked;
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return faults.around(() -> {
            Set<LeaseId> renewed = new HashSet<>();
            for (LeaseId id : leases) {
                rows.computeIfPresent(id.key(), (key, row) -> {
                    long now = ticker.nanos();
                    if (!id.equals(row.leaseAt(now))) {
                        return row;
                    }
                    renewed.add(id);
                    return row.withEnd(now + Math.max(row.endsAt() - now, LeaseTimes.nanos(lease)));
                });
            }
            return Renewal.decided(renewed);
        });
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return faults.around(() -> {
            Set<LeaseId> released = new HashSet<>();
            for (LeaseId id : leases) {
                if (end(id.key(), id, null) != null) {
                    released.add(id);
                }
            }
            return released;
        });
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return faults.around(() -> end(lease.key(), lease, node) != null);
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        return faults.around(() -> {
            AtomicReference<Acquisition.@Nullable Granted> granted = new AtomicReference<>();
            rows.computeIfPresent(lease.key(), (key, row) -> {
                long now = ticker.nanos();
                boolean othersWait = row.isAwaitedByOthersThan(next.node());
                if (!lease.equals(row.leaseAt(now)) || othersWait) {
                    return row;
                }
                long fence = fences.incrementAndGet();
                granted.set(new Acquisition.Granted(OptionalLong.of(fence)));
                return new LeaseRow(next.lease(), fence, now, now + LeaseTimes.nanos(next.leaseTime()), List.of(), now);
            });
            return Optional.ofNullable(granted.get());
        });
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return faults.around(() -> end(key, LossReason.FORCED));
    }

    /** Ends the lease of the key, regardless of its holder, and signals the reason; returns the lease. */
    public Optional<LeaseId> end(String key, LossReason reason) {
        LeaseId ended = end(key, null, null);
        if (ended != null) {
            listeners.forEach(listener -> listener.lost(Set.of(ended), reason));
        }
        return Optional.ofNullable(ended);
    }

    /**
     * Ends the lease of the key, if it is {@code only} or that is null. If other nodes wait, {@code queuing} lines up behind
     * them. Returns the lease that was ended.
     */
    private @Nullable LeaseId end(String key, @Nullable LeaseId only, @Nullable String queuing) {
        AtomicReference<@Nullable LeaseId> ended = new AtomicReference<>();
        LeaseRow rest = rows.computeIfPresent(key, (k, row) -> {
            long now = ticker.nanos();
            LeaseId lease = row.leaseAt(now);
            if (lease == null || (only != null && !only.equals(lease))) {
                return row;
            }
            ended.set(lease);
            LeaseRow queued = queuing == null || row.waiters().isEmpty() ? row : row.withWaiter(queuing);
            return awaited(queued.released(now + GRACE.toNanos()));
        });
        if (ended.get() != null) {
            notifyFirst(key, rest);
        }
        return ended.get();
    }

    /** Returns the row of a free key if a node waits for it: else there is nothing to remember. */
    private static @Nullable LeaseRow awaited(LeaseRow row) {
        return row.waiters().isEmpty() ? null : row;
    }

    /** Returns how many keys are held, waited for, or not swept yet. */
    long size() {
        return rows.mappingCount();
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return faults.around(() -> Optional.ofNullable(rows.get(key)).flatMap(this::stored));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return faults.around(() -> rows.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(keyPrefix))
                .flatMap(entry -> stored(entry.getValue()).stream())
                .toList());
    }

    private Optional<StoredLease> stored(LeaseRow row) {
        long now = ticker.nanos();
        return Optional.ofNullable(row.leaseAt(now))
                .map(lease -> new StoredLease(
                        lease,
                        Instant.now().minusNanos(now - row.acquiredAt()),
                        Duration.ofNanos(row.endsAt() - now),
                        OptionalLong.of(row.fence())));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        faults.around(() -> {
            LeaseRow rest = rows.computeIfPresent(key, (k, row) -> {
                LeaseRow without = row.withdrawn(node, ticker.nanos() + GRACE.toNanos());
                return row.lease() == null ? awaited(without) : without;
            });
            notifyFirst(key, rest);
            return true;
        });
    }

    /** Signals to the first node in line that the key is free. */
    private void notifyFirst(String key, @Nullable LeaseRow row) {
        if (row != null && row.lease() == null) {
            String first = row.waiters().getFirst();
            for (Listener listener : listeners) {
                if (listener.node().equals(first)) {
                    listener.free(key);
                }
            }
        }
    }

    /** Drops the rows of leases that expired, whenever the map has doubled: so that it costs next to nothing. */
    private void sweepIfGrown() {
        if (rows.mappingCount() < sweepAt) {
            return;
        }
        long now = ticker.nanos();
        rows.forEach((key, row) -> {
            if (row.isAbandonedAt(now, 100 * GRACE.toNanos())) {
                rows.remove(key, row);
            }
        });
        sweepAt = Math.max(FIRST_SWEEP, 2 * rows.mappingCount());
    }

    @Override
    public Registration subscribe(Listener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
