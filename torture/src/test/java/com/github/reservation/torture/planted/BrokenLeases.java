// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.planted;

import com.github.reservation.Ticker;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** A store of leases with one bug. */
final class BrokenLeases implements QueueingStore {

    private static final long SECOND = 1_000_000; // A fence counts microseconds.

    private final QueueingStore store;
    private final Planted bug;
    private final BrokenTicker ticker;

    BrokenLeases(QueueingStore store, Planted bug) {
        this.store = store;
        this.bug = bug;
        this.ticker = new BrokenTicker(bug == Planted.SLOW_CLOCK ? 2 : 1, bug == Planted.LOST_WAKE_UP);
    }

    /** Returns the clock of the holders, which has a bug of its own. */
    Ticker ticker() {
        return ticker;
    }

    private boolean has(Planted other) {
        return bug == other;
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        AcquireRequest sent = switch (bug) {
            case HALF_A_LEASE -> asking(request, request.leaseTime().dividedBy(2));
            case LEASE_TOO_LONG -> asking(request, request.leaseTime().multipliedBy(100));
            default -> request;
        };
        if (has(Planted.FAILS_FOR_NOTHING) && ThreadLocalRandom.current().nextInt(50) == 0) {
            throw new StoreException(Kind.UNAVAILABLE, "On purpose");
        }
        long start = System.nanoTime();
        Acquisition answer;
        try {
            answer = store.acquire(sent);
        } catch (StoreException e) {
            if (has(Planted.DOUBT_TAKEN_FOR_NO) && e.kind() == Kind.OUTCOME_UNKNOWN) {
                return new Acquisition.Refused(Duration.ofMillis(1), false);
            }
            throw e;
        }
        if (has(Planted.TRUST_FROM_THE_REPLY)) {
            ticker.standStill(start, System.nanoTime());
        }
        return switch (answer) {
            case Acquisition.Granted granted -> new Acquisition.Granted(broken(granted.fence()));
            case Acquisition.Refused refused when has(Planted.GRANTED_TWICE) && refused.remaining().toMillis() > 100 ->
                new Acquisition.Granted(
                        OptionalLong.of(Long.MAX_VALUE / 2 + System.nanoTime()));
            case Acquisition.Refused refused -> refused;
        };
    }

    private static AcquireRequest asking(AcquireRequest request, Duration leaseTime) {
        return new AcquireRequest(
                request.lease(), leaseTime, request.node(), request.waits(), request.polls());
    }

    private OptionalLong broken(OptionalLong fence) {
        return switch (bug) {
            case FENCE_REPEATS -> OptionalLong.of(fence.orElseThrow() / SECOND * SECOND);
            case FENCE_FALLS -> OptionalLong.of(Long.MAX_VALUE - fence.orElseThrow());
            default -> fence;
        };
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        if (has(Planted.RENEWAL_FAILS)) {
            throw new StoreException(Kind.UNAVAILABLE, "On purpose");
        }
        if (has(Planted.RENEWAL_NOT_SENT)) {
            return Renewal.decided(Set.copyOf(leases));
        }
        Renewal answer = store.renew(leases, lease);
        return has(Planted.RENEWAL_REVIVES) ? Renewal.decided(Set.copyOf(leases)) : answer;
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        if (has(Planted.RELEASE_FORGOTTEN) && ThreadLocalRandom.current().nextInt(4) == 0) {
            return Set.copyOf(leases);
        }
        if (has(Planted.RELEASE_WITHOUT_OWNER)) {
            for (LeaseId lease : leases) {
                store.forceRelease(lease.key());
            }
            return Set.copyOf(leases);
        }
        return store.release(leases);
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return has(Planted.RELEASE_FORGOTTEN) || has(Planted.RELEASE_WITHOUT_OWNER)
                ? release(Set.of(lease)).contains(lease)
                : store.releaseAndQueue(lease, node, mayStay);
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        Optional<Acquisition.Granted> granted = store.pass(lease, next, mayStay);
        return granted.map(answer -> new Acquisition.Granted(broken(answer.fence())));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        store.withdraw(key, node);
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return store.forceRelease(key);
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return store.find(key);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return store.list(keyPrefix);
    }
}
