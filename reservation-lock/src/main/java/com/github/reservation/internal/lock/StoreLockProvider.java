// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.base.Trust;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.LeaseBatch;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.waiting.Attempt;
import com.github.reservation.internal.waiting.LocalQueue;
import com.github.reservation.internal.waiting.Wanted;
import com.github.reservation.internal.waiting.Wanted.Patience;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one manager. What is held is in the store alone; this side knows only the leases for which a request got lost and may
 * still arrive.
 */
final class StoreLockProvider implements LockProvider {

    /** How long a release is retried at least: a lease may have been renewed since the caller got its {@code LockLease}. */
    private static final Duration LEAST_RETRY = Duration.ofHours(1);

    private final ManagerSettings settings;
    private final HoldLifecycle holds;
    private final RetryingStore store;
    private final Ticker ticker;
    private final Grants grants;
    private final LocalQueue queue;

    /** The leases for which a request got lost and may arrive after their release, and when they are over. */
    private final Map<LeaseId, Long> acquiredInDoubt = new ConcurrentHashMap<>();

    /** What the store has granted or renewed: for this time, which may be shorter than was asked for, since the request was sent. */
    private record Confirmed(Reading sent, Duration leaseTime) {

        LockLease leaseOf(String lockName, String executionId) {
            return new LockLease(lockName, executionId, sent.plus(leaseTime).epochMillis());
        }
    }

    /** Makes the provider of a manager, whose threads wait in {@code queue}. */
    StoreLockProvider(NamedLocks locks, LocalQueue queue) {
        this.settings = locks.settings();
        this.holds = locks.holds();
        this.store = locks.store();
        this.ticker = settings.ticker();
        this.grants = locks.grants();
        this.queue = queue;
    }

    @Override
    public @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
        LeaseId lease = leaseOf(lockName, executionId);
        LeaseTimes.requireValid("leaseDuration", leaseDuration);
        holds.requireOpen();
        if (store.isReleasePending(lease)) {
            return null; // An earlier lease of this execution is about to end; its release would end a new one.
        }
        try {
            Confirmed granted = acquire(lease, lockName, leaseDuration);
            return granted == null ? null : granted.leaseOf(lockName, executionId);
        } catch (StoreException e) {
            throw settings.failed(lockName, e);
        }
    }

    /** Returns what the store has granted; null if the lock is held. */
    private @Nullable Confirmed acquire(LeaseId lease, String lockName, Duration leaseTime) throws StoreException {
        Wanted wanted =
                new Wanted(lockName, lease.key(), leaseTime, null, Patience.none(ticker.nanos()), lease.holder());
        try (Attempt attempt = new Attempt(store, grants, queue.node(), wanted)) {
            if (attempt.ask(false) instanceof Acquisition.Refused) {
                return null;
            }
            if (attempt.mayArriveAgain()) {
                forgetOver();
                acquiredInDoubt.put(lease, endsAt(leaseTime));
            }
            return new Confirmed(attempt.sent(), attempt.grantedFor());
        } catch (InterruptedException e) {
            throw new AssertionError("An attempt that does not wait is not interruptible", e);
        }
    }

    private void forgetOver() {
        long now = ticker.nanos();
        acquiredInDoubt.values().removeIf(end -> end - now <= 0);
    }

    @Override
    public List<LockLease> renew(List<LockLease> leases, Duration leaseDuration) {
        Map<LeaseId, LockLease> distinct = distinct(leases);
        LeaseTimes.requireValid("leaseDuration", leaseDuration);
        if (store.store() instanceof FixedLeaseStore) {
            return List.of();
        }
        Map<LeaseId, Confirmed> renewed = new HashMap<>();
        LeaseBatch batch = LeaseBatch.send(store, distinct.keySet(), chunk -> {
            Reading sent = Reading.of(ticker);
            Renewal renewal = store.store().renew(chunk, leaseDuration);
            renewal.renewed().forEach(
                    lease -> renewed.put(lease, new Confirmed(sent, store.granted(lease, leaseDuration))));
            return renewal.undecided();
        });
        if (!batch.failures().isEmpty()) {
            String message = "Could not renew " + batch.unanswered().size() + " of " + distinct.size() + " leases";
            if (batch.unanswered().size() == distinct.size()) {
                throw exception(message, batch);
            }
            Log.warn(message + "; their old ends still count", batch.failures().getFirst());
        }
        Set<LeaseId> unanswered = Set.copyOf(batch.unanswered());
        Reading now = Reading.of(ticker);
        List<LockLease> result = new ArrayList<>(distinct.size());
        distinct.forEach((id, lease) -> {
            Confirmed confirmed = renewed.get(id);
            if (confirmed != null && Trust.of(confirmed.sent, confirmed.leaseTime).left(now) > 0) {
                result.add(confirmed.leaseOf(lease.name(), lease.executionId()));
            } else if (unanswered.contains(id) && lease.expiresAt() > now.epochMillis()) {
                result.add(lease);
            }
        });
        return List.copyOf(result);
    }

    @Override
    public void release(List<LockLease> leases) {
        Map<LeaseId, LockLease> distinct = distinct(leases);
        Map<LeaseId, LockLease> unanswered = new HashMap<>(distinct);
        try {
            LeaseBatch batch = LeaseBatch.send(store, distinct.keySet(), chunk -> {
                store.store().release(chunk);
                chunk.forEach(lease -> released(lease, unanswered));
                return Set.of();
            });
            if (!batch.failures().isEmpty()) {
                throw exception("Could not release " + batch.unanswered().size() + " of " + distinct.size()
                        + " leases; the release is retried in the background until they end", batch);
            }
        } finally {
            unanswered.forEach(this::releaseLater);
        }
    }

    private void released(LeaseId lease, Map<LeaseId, LockLease> unanswered) {
        unanswered.remove(lease);
        Long end = acquiredInDoubt.remove(lease);
        if (end != null) {
            store.releaseInDoubt(lease, end);
        }
        queue.wake(lease.key());
    }

    private void releaseLater(LeaseId id, LockLease lease) {
        Duration left = Duration.ofMillis(lease.expiresAt() - ticker.epochMillis());
        store.releaseLater(id, endsAt(left.compareTo(LEAST_RETRY) > 0 ? left : LEAST_RETRY));
    }

    private static ReservationException exception(String message, LeaseBatch failed) {
        ReservationException exception =
                new ReservationException(message, failed.failures().getFirst());
        failed.failures().stream().skip(1).forEach(exception::addSuppressed);
        return exception;
    }

    /** Returns the leases in their order, each once; throws if one of them cannot be a lease. */
    private Map<LeaseId, LockLease> distinct(List<LockLease> leases) {
        Objects.requireNonNull(leases, "leases must not be null");
        Map<LeaseId, LockLease> distinct = new LinkedHashMap<>();
        for (int i = 0; i < leases.size(); i++) {
            LockLease lease = leases.get(i);
            if (lease == null) {
                throw new NullPointerException("leases must not contain null, but element " + i + " is");
            }
            distinct.putIfAbsent(leaseOf(lease.name(), lease.executionId()), lease);
        }
        return distinct;
    }

    private LeaseId leaseOf(String lockName, String executionId) {
        String key = settings.keyOf("lockName", lockName);
        return new LeaseId(key, ReservationKeyBuilder.requireValidHolder("executionId", executionId));
    }

    private long endsAt(Duration fromNow) {
        return ticker.nanos() + LeaseTimes.nanos(fromNow);
    }
}
