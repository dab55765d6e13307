// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lease;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.retry.RetryingStore;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.FixedLeaseStore;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.ReservationKeyBuilder;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.internal.time.LeaseTimes;
import com.github.reservation.internal.time.Reading;
import com.github.reservation.internal.time.Trust;
import com.github.reservation.internal.waiting.LocalQueue;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one manager. What is held is in the store alone; this side knows only the leases for which a request got lost and may
 * still arrive.
 */
public final class StoreLockProvider implements LockProvider {

    /** How many leases one call to the store carries: a database may lock all of their rows until the call ends. */
    private static final int CHUNK = 500;

    /** How long the leases of a chunk that failed are tried one by one. */
    private static final long LONGEST_ONE_BY_ONE = Duration.ofSeconds(2).toNanos();

    /** How long a release is retried at least: a lease may have been renewed since the caller got its {@code LockLease}. */
    private static final Duration LEAST_RETRY = Duration.ofHours(1);

    /** How much longer than its own time a lease may seem to run, because two clocks run at different rates. */
    private static final Duration TOLERANCE = Duration.ofMillis(100);

    /** A call to the store for some of the leases. */
    @FunctionalInterface
    private interface BatchCall {
        void run(Collection<LeaseId> leases) throws StoreException;
    }

    private final String domain;
    private final RetryingStore store;
    private final Ticker ticker;
    private final LocalQueue queue;
    private final Runnable requireOpen;
    private final UnaryOperator<String> keyOf;

    /** The leases for which a request got lost and may arrive after their release, and when they are over. */
    private final Map<LeaseId, Long> acquiredInDoubt = new ConcurrentHashMap<>();

    /**
     * Makes the provider of a manager.
     *
     * @param queue the threads of the manager that wait for a key
     * @param requireOpen throws if the manager is closed
     * @param keyOf returns the key of a lock name, or throws if the name breaks the rules
     */
    public StoreLockProvider(
            String domain,
            RetryingStore store,
            LocalQueue queue,
            Runnable requireOpen,
            UnaryOperator<String> keyOf) {
        this.domain = domain;
        this.store = store;
        this.ticker = store.ticker();
        this.queue = queue;
        this.requireOpen = requireOpen;
        this.keyOf = keyOf;
    }

    @Override
    public @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
        LeaseId lease = leaseOf(lockName, executionId);
        LeaseTimes.requireValid("leaseDuration", leaseDuration);
        requireOpen.run();
        if (store.isReleasePending(lease)) {
            return null; // An earlier lease of this execution is about to end; its release would end a new one.
        }
        try {
            Reading sent = acquire(lease, leaseDuration);
            return sent == null ? null : new LockLease(lockName, executionId, endOf(sent, leaseDuration));
        } catch (StoreException e) {
            throw new ReservationAcquisitionException(
                    domain, lockName, "Failed to acquire lock " + shown(lockName) + ": " + e.getMessage(), e);
        }
    }

    /** Returns when the request was sent that was granted; null if the lock is held. */
    private @Nullable Reading acquire(LeaseId lease, Duration leaseTime) throws StoreException {
        AcquireRequest request = AcquireRequest.once(lease, leaseTime, queue.node().nameIfWaited());
        RetryingStore.Repeats repeats = store.new Repeats();
        Reading first = Reading.of(ticker);
        boolean inDoubt = false;
        boolean granted = false;
        boolean held = false;
        try {
            while (true) {
                try {
                    Reading sent = Reading.of(ticker);
                    granted = repeats.answer(() -> store.store().acquire(request)) instanceof Acquisition.Granted;
                    if (!granted && inDoubt) {
                        Optional<StoredLease> found = store.find(lease.key());
                        held = found.isPresent() && found.get().id().equals(lease);
                        granted = held && runsSince(first, found.get(), leaseTime);
                        sent = first;
                    }
                    return granted ? requireTrusted(lease, sent, leaseTime) : null;
                } catch (StoreException e) {
                    inDoubt |= e.kind() == Kind.OUTCOME_UNKNOWN;
                    repeats.allowOrThrow(e);
                } catch (Error e) {
                    inDoubt = true;
                    throw e;
                }
            }
        } finally {
            if (inDoubt && granted) {
                forgetOver();
                acquiredInDoubt.put(lease, endsAt(leaseTime));
            } else if (inDoubt && !held) { // Else it is an earlier lease of the same execution.
                store.releaseInDoubt(lease, endsAt(leaseTime));
            }
        }
    }

    /** Returns whether the lease was granted after {@code first}, and not to an earlier request of the same execution. */
    private boolean runsSince(Reading first, StoredLease found, Duration leaseTime) {
        Duration elapsed = Duration.ofNanos(ticker.nanos() - first.nanos()).plus(TOLERANCE);
        return found.remaining().plus(elapsed).compareTo(leaseTime) >= 0;
    }

    /** Gives back a lease that was granted so late that it may not be trusted any more. */
    private Reading requireTrusted(LeaseId lease, Reading sent, Duration leaseTime) throws StoreException {
        if (Trust.of(sent, leaseTime).left(Reading.of(ticker)) > 0) {
            return sent;
        }
        store.releaseLater(lease, endsAt(leaseTime));
        throw new StoreException(
                Kind.UNAVAILABLE, "The store took longer to answer than the lease of " + leaseTime + " can be trusted");
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
        Map<LeaseId, Reading> renewed = new HashMap<>();
        Failed failed = inChunks(distinct.keySet(), chunk -> {
            Reading sent = Reading.of(ticker);
            store.renew(chunk, leaseDuration).forEach(lease -> renewed.put(lease, sent));
        });
        if (!failed.failures.isEmpty()) {
            String message = "Could not renew " + failed.leases.size() + " of " + distinct.size() + " leases";
            if (failed.leases.size() == distinct.size()) {
                throw failed.exception(message);
            }
            Log.warn(message + "; they are left out of the result", failed.failures.getFirst());
        }
        List<LockLease> result = new ArrayList<>(renewed.size());
        Reading now = Reading.of(ticker);
        distinct.forEach((id, lease) -> {
            Reading sent = renewed.get(id);
            if (sent != null && Trust.of(sent, leaseDuration).left(now) > 0) {
                result.add(new LockLease(lease.name(), lease.executionId(), endOf(sent, leaseDuration)));
            }
        });
        return List.copyOf(result);
    }

    @Override
    public void release(List<LockLease> leases) {
        Map<LeaseId, LockLease> distinct = distinct(leases);
        Map<LeaseId, LockLease> unanswered = new HashMap<>(distinct);
        try {
            Failed failed = inChunks(distinct.keySet(), chunk -> {
                store.release(chunk);
                chunk.forEach(lease -> released(lease, unanswered));
            });
            if (!failed.failures.isEmpty()) {
                throw failed.exception("Could not release " + failed.leases.size() + " of " + distinct.size()
                        + " leases; the release is retried in the background until they end");
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

    /** What the store did not answer. */
    private record Failed(List<LeaseId> leases, List<StoreException> failures) {

        private void add(List<LeaseId> chunk, StoreException failure) {
            leases.addAll(chunk);
            failures.add(failure);
        }

        private ReservationException exception(String message) {
            ReservationException exception = new ReservationException(message, failures.getFirst());
            failures.stream().skip(1).forEach(exception::addSuppressed);
            return exception;
        }
    }

    /**
     * Calls the store for all leases. Where a chunk fails, its leases are tried one by one, so that one cannot spoil the others. A store
     * that cannot be reached is not asked again.
     */
    private Failed inChunks(Collection<LeaseId> leases, BatchCall call) {
        Failed failed = new Failed(new ArrayList<>(), new ArrayList<>());
        List<LeaseId> all = List.copyOf(leases);
        for (int from = 0; from < all.size(); from += CHUNK) {
            List<LeaseId> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
            try {
                call.run(chunk);
            } catch (StoreException e) {
                if (!isWorthAnother(e)) {
                    failed.add(all.subList(from, all.size()), e);
                    return failed;
                }
                if (chunk.size() == 1) {
                    failed.add(chunk, e);
                } else {
                    oneByOne(chunk, call, failed);
                }
            }
        }
        return failed;
    }

    private void oneByOne(List<LeaseId> chunk, BatchCall call, Failed failed) {
        long giveUp = ticker.nanos() + LONGEST_ONE_BY_ONE;
        for (int i = 0; i < chunk.size(); i++) {
            try {
                call.run(List.of(chunk.get(i)));
            } catch (StoreException e) {
                if (!isWorthAnother(e) || giveUp - ticker.nanos() <= 0) {
                    failed.add(chunk.subList(i, chunk.size()), e);
                    return;
                }
                failed.add(List.of(chunk.get(i)), e);
            }
        }
    }

    /** Returns whether the failure may be that of some leases only. */
    private static boolean isWorthAnother(StoreException e) {
        return e.kind() != Kind.UNAVAILABLE && e.kind() != Kind.MISCONFIGURED;
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
        String key = keyOf.apply(lockName);
        return new LeaseId(key, ReservationKeyBuilder.requireValidHolder("executionId", executionId));
    }

    private long endsAt(Duration fromNow) {
        return ticker.nanos() + LeaseTimes.nanos(fromNow);
    }

    private static long endOf(Reading sent, Duration leaseTime) {
        return sent.plus(leaseTime).epochMillis();
    }

    private String shown(String lockName) {
        return "[" + domain + ReservationKeyBuilder.DELIMITER + lockName + "]";
    }
}
