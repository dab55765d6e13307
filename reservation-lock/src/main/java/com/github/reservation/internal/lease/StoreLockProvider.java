// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lease;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.internal.retry.RetryingStore;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.FixedLeaseStore;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.ReservationKeyBuilder;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.time.LeaseTimes;
import com.github.reservation.internal.time.Reading;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The leases of one manager. It has no state: what is held is in the store alone. */
public final class StoreLockProvider implements LockProvider {

    /** How many leases one call to the store carries: a database may lock all of their rows until the call ends. */
    private static final int CHUNK = 500;

    /** A call to the store for some of the leases. */
    @FunctionalInterface
    private interface BatchCall {
        void run(Collection<LeaseId> leases) throws StoreException;
    }

    private final String domain;
    private final RetryingStore store;
    private final Runnable requireOpen;
    private final UnaryOperator<String> keyOf;
    private final Supplier<String> node;

    /**
     * Makes the provider of a manager.
     *
     * @param requireOpen throws if the manager is closed
     * @param keyOf returns the key of a lock name, or throws if the name breaks the rules
     * @param node the manager, as the store sees it among the nodes that wait
     */
    public StoreLockProvider(
            String domain,
            RetryingStore store,
            Runnable requireOpen,
            UnaryOperator<String> keyOf,
            Supplier<String> node) {
        this.domain = domain;
        this.store = store;
        this.requireOpen = requireOpen;
        this.keyOf = keyOf;
        this.node = node;
    }

    @Override
    public @Nullable LockLease acquireLock(String lockName, String executionId, Duration leaseDuration) {
        LeaseId lease = leaseOf(lockName, executionId);
        LeaseTimes.requireValid("leaseDuration", leaseDuration);
        requireOpen.run();
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
        RetryingStore.Repeats repeats = store.new Repeats();
        AcquireRequest request = AcquireRequest.once(lease, leaseTime, node.get());
        Reading first = Reading.of(store.ticker());
        boolean inDoubt = false;
        boolean resolved = false;
        try {
            while (true) {
                try {
                    Reading sent = inDoubt ? first : Reading.of(store.ticker());
                    boolean granted =
                            repeats.answer(() -> store.store().acquire(request)) instanceof Acquisition.Granted;
                    // After a lost reply a refusal may be the echo of a grant.
                    granted = granted || (inDoubt && store.isHeldBy(lease));
                    resolved = true;
                    return granted ? trusted(lease, sent, leaseTime) : null;
                } catch (StoreException e) {
                    inDoubt |= e.kind() == Kind.OUTCOME_UNKNOWN;
                    repeats.allowOrThrow(e);
                }
            }
        } finally {
            if (inDoubt && !resolved) {
                store.releaseInDoubt(lease, store.ticker().nanos() + LeaseTimes.nanos(leaseTime));
            }
        }
    }

    /** Gives back a lease that was granted so late that it is over. */
    private Reading trusted(LeaseId lease, Reading sent, Duration leaseTime) throws StoreException {
        if (store.ticker().nanos() - sent.plus(leaseTime).nanos() < 0) {
            return sent;
        }
        store.release(lease, false);
        throw new StoreException(Kind.UNAVAILABLE, "The store took longer to answer than the lease of " + leaseTime);
    }

    @Override
    public List<LockLease> renew(List<LockLease> leases, Duration leaseDuration) {
        Map<LeaseId, LockLease> distinct = distinct(leases);
        LeaseTimes.requireValid("leaseDuration", leaseDuration);
        if (store.store() instanceof FixedLeaseStore) {
            return List.of();
        }
        long end = endOf(Reading.of(store.ticker()), leaseDuration);
        Set<LeaseId> renewed = new HashSet<>();
        Failed failed = inChunks(distinct.keySet(), chunk -> renewed.addAll(store.renew(chunk, leaseDuration)));
        if (!failed.failures.isEmpty()) {
            String message = "Could not renew " + failed.leases.size() + " of " + distinct.size() + " leases";
            if (failed.leases.size() == distinct.size()) {
                throw failed.exception(message);
            }
            Log.warn(message + "; they are left out of the result", failed.failures.getFirst());
        }
        return distinct.entrySet().stream()
                .filter(entry -> renewed.contains(entry.getKey()))
                .map(entry -> extended(entry.getValue(), end))
                .toList();
    }

    private static LockLease extended(LockLease lease, long end) {
        return new LockLease(lease.name(), lease.executionId(), Math.max(lease.expiresAt(), end));
    }

    @Override
    public void release(List<LockLease> leases) {
        Map<LeaseId, LockLease> distinct = distinct(leases);
        Failed failed = inChunks(distinct.keySet(), store::release);
        if (!failed.failures.isEmpty()) {
            Set<LeaseId> unanswered = new HashSet<>(failed.leases);
            distinct.forEach((id, lease) -> {
                if (unanswered.contains(id)) {
                    releaseLater(id, lease);
                }
            });
            throw failed.exception("Could not release " + failed.leases.size() + " of " + distinct.size()
                    + " leases; the release is retried in the background until they end");
        }
    }

    private void releaseLater(LeaseId id, LockLease lease) {
        long left = Math.max(0, lease.expiresAt() - store.ticker().epochMillis());
        store.releaseLater(id, store.ticker().nanos() + LeaseTimes.nanos(Duration.ofMillis(left)));
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

    /** Calls the store for all leases. Where a chunk fails, each of its leases is tried alone: one must not spoil the others. */
    private static Failed inChunks(Collection<LeaseId> leases, BatchCall call) {
        Failed failed = new Failed(new ArrayList<>(), new ArrayList<>());
        List<LeaseId> all = List.copyOf(leases);
        for (int from = 0; from < all.size(); from += CHUNK) {
            List<LeaseId> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
            try {
                call.run(chunk);
            } catch (StoreException e) {
                boolean allTheSame = e.kind() == Kind.UNAVAILABLE || e.kind() == Kind.MISCONFIGURED;
                if (allTheSame || chunk.size() == 1) {
                    failed.add(chunk, e);
                } else {
                    oneByOne(chunk, call, failed);
                }
            }
        }
        return failed;
    }

    private static void oneByOne(List<LeaseId> chunk, BatchCall call, Failed failed) {
        for (LeaseId lease : chunk) {
            try {
                call.run(List.of(lease));
            } catch (StoreException e) {
                failed.add(List.of(lease), e);
            }
        }
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

    private static long endOf(Reading sent, Duration leaseTime) {
        return sent.plus(leaseTime).epochMillis();
    }

    private String shown(String lockName) {
        return "[" + domain + ReservationKeyBuilder.DELIMITER + lockName + "]";
    }
}
