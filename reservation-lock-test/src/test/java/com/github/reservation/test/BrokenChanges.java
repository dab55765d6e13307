// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.LossReason;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.ShorteningStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stores that acquire, renew or release what they must not, or not as they must. */
final class BrokenChanges {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Renews by key and holder, and does not look at the end. Alone, so that it does not bring back what is being released. */
    static class RenewsTheDead extends RefinedStore {

        private final Set<LeaseId> granted = ConcurrentHashMap.newKeySet();

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            Acquisition answer = super.acquire(request);
            if (answer instanceof Granted) {
                granted.add(request.lease());
            }
            return answer;
        }

        @Override
        public synchronized Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
            Set<LeaseId> released = super.release(ids);
            granted.removeAll(released);
            return released;
        }

        @Override
        public Optional<LeaseId> forceRelease(String key) throws StoreException {
            granted.removeIf(lease -> lease.key().equals(key));
            return super.forceRelease(key);
        }

        @Override
        public synchronized Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
            Set<LeaseId> renewed = new HashSet<>(super.renew(ids, lease).renewed());
            for (LeaseId id : ids) {
                if (granted.contains(id)
                        && super.acquire(
                                AcquireRequest.once(id, lease, AcquireRequest.NO_NODE)) instanceof Granted) {
                    renewed.add(id);
                }
            }
            return Renewal.decided(renewed);
        }
    }

    /** Releases whatever lease the key has. */
    static class ReleasesByKey extends RefinedStore {

        @Override
        public Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
            Set<LeaseId> released = new HashSet<>();
            for (LeaseId id : ids) {
                if (super.find(id.key()).isPresent()) {
                    super.release(List.of(super.find(id.key()).get().id()));
                    released.add(id);
                }
            }
            return released;
        }
    }

    /** Starts to count again when the key was forced free. */
    static class RepeatsAFence extends RefinedStore {

        private final Map<String, Long> fences = new ConcurrentHashMap<>();

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            return super.acquire(request) instanceof Granted
                    ? new Granted(OptionalLong.of(fences.merge(request.lease().key(), 1L, Long::sum)))
                    : new Acquisition.Refused(LONG, false);
        }

        @Override
        public Optional<Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
                throws StoreException {
            return super.pass(lease, next, mayStay).map(
                    granted -> new Granted(OptionalLong.of(fences.merge(lease.key(), 1L, Long::sum))));
        }

        @Override
        public Optional<LeaseId> forceRelease(String key) throws StoreException {
            fences.remove(key);
            return super.forceRelease(key);
        }

        @Override
        public Optional<StoredLease> find(String key) throws StoreException {
            return super.find(key).map(this::numbered);
        }

        @Override
        public List<StoredLease> list(String keyPrefix) throws StoreException {
            return super.list(keyPrefix).stream().map(this::numbered).toList();
        }

        private StoredLease numbered(StoredLease lease) {
            return new StoredLease(
                    lease.id(), lease.acquiredAt(), lease.remaining(),
                    OptionalLong.of(fences.get(lease.id().key())));
        }

        @Override
        public boolean hasQueue() {
            return false;
        }
    }

    /** Takes a request of the current holder for a repetition, and grants it. */
    static class GrantsTwice extends RefinedStore {

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            Optional<StoredLease> found = super.find(request.lease().key());
            return found.isPresent() && found.get().id().equals(request.lease())
                    ? new Granted(found.get().fence())
                    : super.acquire(request);
        }
    }

    /** Looks whether the key is free, and then takes it. */
    static class LooksFirst extends RefinedStore {

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            if (request.waits() || super.find(request.lease().key()).isPresent()) {
                return super.acquire(request);
            }
            pause();
            super.find(request.lease().key())
                    .ifPresent(found -> leases.end(found.id().key(), LossReason.FORCED));
            return super.acquire(request);
        }

        /** Lets the others look. */
        private static void pause() {
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sets the end of a lease to what the last renewal asks for. */
    static class Shortens extends RefinedStore {

        @Override
        public Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
            Renewal renewal = super.renew(ids, lease);
            for (LeaseId id : renewal.renewed()) {
                super.release(List.of(id));
                super.acquire(AcquireRequest.once(id, lease, AcquireRequest.NO_NODE));
            }
            return renewal;
        }
    }

    /** Grants less than was asked for. */
    static class CapsInSecret extends RefinedStore {

        static Duration capped(Duration asked) {
            return asked.compareTo(LONG) < 0 ? asked : LONG;
        }

        private static AcquireRequest capped(AcquireRequest request) {
            return new AcquireRequest(
                    request.lease(), capped(request.leaseTime()), request.node(), request.waits(), request.polls());
        }

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            return super.acquire(capped(request));
        }

        @Override
        public Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
            return super.renew(ids, capped(lease));
        }

        @Override
        public Optional<Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay) throws StoreException {
            return super.pass(lease, capped(next), mayStay);
        }
    }

    /** Says so. */
    static class Caps extends CapsInSecret implements ShorteningStore {

        @Override
        public Duration granted(LeaseId lease, Duration asked) {
            return capped(asked);
        }
    }

    private BrokenChanges() {}
}
