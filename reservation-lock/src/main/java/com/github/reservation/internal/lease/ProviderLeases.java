// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lease;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.internal.time.LeaseTimes;
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

    /** An acquisition that failed, and when its lease would be over. */
    private record Doubt(AcquireRequest request, long end) {}

    /** The last acquisition of a key if it failed, until it is known what became of it. */
    private final Map<String, Doubt> inDoubt = new ConcurrentHashMap<>();

    public ProviderLeases(LockProvider provider) {
        this.provider = provider;
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        LeaseId lease = request.lease();
        boolean granted;
        try {
            granted = call(
                    Kind.OUTCOME_UNKNOWN,
                    () -> provider.acquireLock(lease.key(), lease.holder(), request.leaseTime()) != null);
        } catch (StoreException e) {
            long now = System.nanoTime();
            inDoubt.values().removeIf(doubt -> doubt.end - now <= 0);
            inDoubt.put(lease.key(), new Doubt(request, now + LeaseTimes.nanos(request.leaseTime())));
            throw e;
        }
        inDoubt.remove(lease.key());
        return granted
                ? new Acquisition.Granted(OptionalLong.empty())
                : new Acquisition.Refused(request.leaseTime(), false);
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        return call(Kind.OUTCOME_UNKNOWN, () -> provider.renew(leasesOf(leases), leaseTime).stream()
                .map(lease -> new LeaseId(lease.name(), lease.executionId()))
                .collect(Collectors.toSet()));
    }

    /** Releases the leases. A provider does not say which of them existed, so a release that failed is sent again later. */
    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return call(Kind.UNAVAILABLE, () -> {
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
        Doubt doubt = inDoubt.get(key);
        if (doubt == null) {
            return Optional.empty();
        }
        LeaseId lease = doubt.request.lease();
        Duration leaseTime = doubt.request.leaseTime();
        return renew(List.of(lease), leaseTime).contains(lease)
                ? Optional.of(new StoredLease(lease, Instant.now(), leaseTime, OptionalLong.empty()))
                : Optional.empty();
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        throw unsupported();
    }

    private static StoreException unsupported() {
        return new StoreException(Kind.MISCONFIGURED, "A LockProvider cannot do this");
    }

    private static <T> T call(Kind failure, Supplier<T> call) throws StoreException {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw new StoreException(failure, "The lock provider failed: " + e, e);
        }
    }
}
