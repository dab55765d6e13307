// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.bridge;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.ShorteningStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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
 *
 * <p>The provider gets its own leases back, as it returned them last, and none of them is trusted after the latest end that the provider
 * returned for it.
 */
public final class ProviderLeaseStore implements ShorteningStore {

    /** How many leases are kept at least before those that have ended are forgotten. */
    private static final int LEAST_KEPT = 1_000;

    private final LockProvider provider;
    private final Ticker ticker;

    /**
     * What the provider has returned for a lease.
     *
     * @param sent when it was asked, in milliseconds since the epoch
     */
    private record Returned(LockLease lease, long sent) {

        /** Returns for how long the provider granted a lease that was asked for this long. */
        Duration granted(Duration asked) {
            Duration granted = Duration.ofMillis(Math.max(0, lease.expiresAt() - sent));
            return granted.compareTo(asked) < 0 ? granted : asked;
        }

        /** Returns whether the provider has returned the lease as it was: it could not renew the lease, which is not lost. */
        boolean isUnchanged(Returned before, Duration asked) {
            return lease.expiresAt() == before.lease.expiresAt() && granted(asked).compareTo(asked) < 0;
        }

        Returned laterOf(Returned other) {
            return other.lease.expiresAt() > lease.expiresAt() ? other : this;
        }
    }

    private final Map<LeaseId, Returned> returned = new ConcurrentHashMap<>();
    private volatile int mostKept = LEAST_KEPT;

    /** An acquisition that failed, and when its lease would be over. */
    private record Doubt(AcquireRequest request, long end) {}

    /** The acquisitions that failed, until it is known what became of them. A refusal does not say: the lease itself may be in the way. */
    private final Map<LeaseId, Doubt> inDoubt = new ConcurrentHashMap<>();

    public ProviderLeaseStore(LockProvider provider, Ticker ticker) {
        this.provider = provider;
        this.ticker = ticker;
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        LeaseId lease = request.lease();
        long sent = ticker.epochMillis();
        Optional<LockLease> granted;
        try {
            granted = call(
                    Kind.OUTCOME_UNKNOWN,
                    () -> Optional.ofNullable(
                            provider.acquireLock(lease.key(), lease.holder(), request.leaseTime())));
        } catch (StoreException e) {
            removeOldDoubts();
            inDoubt.put(lease, new Doubt(request, ticker.nanos() + LeaseTimes.nanos(request.leaseTime())));
            throw e;
        }
        if (granted.isEmpty()) {
            return new Acquisition.Refused(request.leaseTime(), false);
        }
        inDoubt.remove(lease);
        keep(lease, new Returned(granted.get(), sent));
        return new Acquisition.Granted(OptionalLong.empty());
    }

    private void keep(LeaseId id, Returned answer) {
        returned.put(id, answer);
        if (returned.size() > mostKept) { // Those of locks that were lost and never released.
            returned.values().removeIf(old -> old.lease.expiresAt() < answer.sent);
            mostKept = Math.max(LEAST_KEPT, 2 * returned.size());
        }
    }

    /** The caller has the lease, so the lease is not in doubt any more. */
    @Override
    public Duration granted(LeaseId lease, Duration asked) {
        inDoubt.remove(lease);
        Returned last = returned.get(lease);
        return last == null ? asked : last.granted(asked);
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Map<LeaseId, Returned> answers = askToRenew(leases, leaseTime);
        Set<LeaseId> renewed = new HashSet<>();
        Set<LeaseId> undecided = new HashSet<>();
        for (LeaseId id : leases) {
            Returned answer = answers.get(id);
            Returned before = returned.get(id);
            if (answer == null) {
                returned.remove(id);
            } else if (before != null && answer.isUnchanged(before, leaseTime)) {
                undecided.add(id);
            } else {
                returned.replace(id, answer); // It may have been released meanwhile.
                renewed.add(id);
            }
        }
        return new Renewal(renewed, undecided);
    }

    /** Has the provider renew the leases. One that has ended by the word of the provider itself is not renewed. */
    private Map<LeaseId, Returned> askToRenew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        Map<LeaseId, LeaseId> ids = new HashMap<>();
        List<LockLease> wanted = new ArrayList<>();
        for (LeaseId id : leases) {
            LockLease lease = leaseOf(id);
            ids.put(id, id);
            ids.put(nameOf(lease), id);
            wanted.add(lease);
        }
        long sent = ticker.epochMillis();
        List<LockLease> answer = call(Kind.OUTCOME_UNKNOWN, () -> provider.renew(wanted, leaseTime));
        Map<LeaseId, Returned> renewed = new HashMap<>();
        for (LockLease lease : answer) {
            LeaseId id = ids.get(nameOf(lease));
            if (id != null && lease.expiresAt() > sent) {
                renewed.putIfAbsent(id, new Returned(lease, sent));
            }
        }
        return renewed;
    }

    /** Returns what the provider calls a lease, which need not be what it was asked for: it may have a prefix of its own. */
    private static LeaseId nameOf(LockLease lease) {
        return new LeaseId(lease.name(), lease.executionId());
    }

    /**
     * Releases the leases. A provider does not say which of them existed. So a lease existed unless the end that the provider returned
     * for it is over, and a release that failed is sent again: at once, then each lease on its own, then later. {@code CONTENTION} says
     * so. If it were unknown what became of a release, {@link #find} would have to tell.
     */
    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        List<LockLease> wanted = leases.stream().map(this::leaseOf).toList();
        long now = ticker.epochMillis();
        Set<LeaseId> existing = leases.stream().filter(lease -> isRunning(lease, now)).collect(Collectors.toSet());
        return call(Kind.CONTENTION, () -> {
            provider.release(wanted);
            leases.forEach(lease -> {
                inDoubt.remove(lease);
                returned.remove(lease);
            });
            return existing;
        });
    }

    private boolean isRunning(LeaseId lease, long now) {
        Returned last = returned.get(lease);
        return last != null && last.lease.expiresAt() > now;
    }

    /** Returns the lease as the provider returned it last; one that it never returned ends as the request asked for. */
    private LockLease leaseOf(LeaseId id) {
        Returned last = returned.get(id);
        if (last != null) {
            return last.lease;
        }
        Doubt doubt = inDoubt.get(id);
        Duration left = doubt == null ? Duration.ZERO : Duration.ofNanos(doubt.end - ticker.nanos());
        return new LockLease(id.key(), id.holder(), ticker.epochMillis() + left.toMillis());
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        throw unsupported();
    }

    /**
     * Finds a lease of this process whose acquisition failed; others cannot be found. The lease may be that of another thread, which may
     * have released it meanwhile: so what is known of a lease that is not found stays as it is.
     */
    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        removeOldDoubts(); // A look renews, and nobody releases what was in doubt for so long.
        List<AcquireRequest> requests = inDoubt.values().stream()
                .map(Doubt::request)
                .filter(request -> request.lease().key().equals(key))
                .toList();
        if (requests.isEmpty()) {
            return Optional.empty();
        }
        Duration leaseTime = requests.stream().map(AcquireRequest::leaseTime).min(Comparator.naturalOrder()).get();
        Map<LeaseId, Returned> renewed =
                askToRenew(requests.stream().map(AcquireRequest::lease).toList(), leaseTime);
        renewed.forEach((lease, answer) -> returned.merge(lease, answer, Returned::laterOf));
        return renewed.entrySet().stream()
                .findFirst()
                .map(found -> new StoredLease(
                        found.getKey(), Instant.now(), found.getValue().granted(leaseTime), OptionalLong.empty()));
    }

    private void removeOldDoubts() {
        long now = ticker.nanos();
        inDoubt.values().removeIf(doubt -> doubt.end - now <= 0);
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
