// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lease;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Leases that a user's {@link LockProvider} keeps. They have no fences. A provider cannot be asked who holds a lock. After an acquisition
 * that failed, a renewal shows whether the provider has granted it.
 */
public final class ProviderLeases implements LeaseStore {

    private final LockProvider provider;

    /** The last acquisition of a key if it failed, until it is known what became of it. */
    private final Map<String, AcquireRequest> inDoubt = new ConcurrentHashMap<>();

    public ProviderLeases(LockProvider provider) {
        this.provider = provider;
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        LeaseId lease = request.lease();
        inDoubt.put(lease.key(), request);
        boolean granted =
                call(() -> provider.acquireLock(lease.key(), lease.holder(), request.leaseTime()) != null);
        inDoubt.remove(lease.key(), request);
        return granted
                ? new Acquisition.Granted(OptionalLong.empty())
                : new Acquisition.Refused(request.leaseTime(), false);
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        return call(() -> provider.renew(leasesOf(leases), leaseTime).stream()
                .map(lease -> new LeaseId(lease.name(), lease.executionId()))
                .collect(Collectors.toSet()));
    }

    /** Releases the leases. A provider does not say which of them existed. */
    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return call(() -> {
            provider.release(leasesOf(leases));
            leases.forEach(lease -> inDoubt.remove(lease.key()));
            return Set.copyOf(leases);
        });
    }

    /** A provider compares the name and the execution, not the end. */
    private static List<LockLease> leasesOf(Collection<LeaseId> leases) {
        return leases.stream().map(lease -> new LockLease(lease.key(), lease.holder(), 0)).toList();
    }

    @Override
    public boolean forceRelease(String key) throws StoreException {
        throw unsupported();
    }

    /** Finds a lease of this process whose acquisition failed; others cannot be found. */
    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        AcquireRequest request = inDoubt.get(key);
        if (request == null || !renew(List.of(request.lease()), request.leaseTime()).contains(request.lease())) {
            return Optional.empty();
        }
        return Optional.of(
                new StoredLease(request.lease(), Instant.now(), request.leaseTime(), OptionalLong.empty()));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        throw unsupported();
    }

    private static StoreException unsupported() {
        return new StoreException(Kind.MISCONFIGURED, "A LockProvider cannot do this");
    }

    private static <T> T call(Supplier<T> call) throws StoreException {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "The lock provider failed: " + e, e);
        }
    }
}
