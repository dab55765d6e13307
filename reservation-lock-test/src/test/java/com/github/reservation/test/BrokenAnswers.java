// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stores that do what they must, and say or remember something else. */
final class BrokenAnswers {

    /** Says that a node waits, and does not remember it. */
    static class ForgetsTheQueue extends RefinedStore {

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            AcquireRequest once =
                    AcquireRequest.once(request.lease(), request.leaseTime(), request.node());
            return super.acquire(once) instanceof Acquisition.Refused refused
                    ? new Acquisition.Refused(refused.remaining(), request.waits())
                    : super.find(request.lease().key()).map(found -> new Granted(found.fence())).orElseThrow();
        }
    }

    /** Shows what it last granted, whether that has ended or not. */
    static class FindsTheDead extends RefinedStore {

        private final Map<String, StoredLease> last = new ConcurrentHashMap<>();

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            Acquisition answer = super.acquire(request);
            super.find(request.lease().key()).ifPresent(found -> last.put(request.lease().key(), found));
            return answer;
        }

        @Override
        public Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
            Set<LeaseId> released = super.release(ids);
            released.forEach(id -> last.remove(id.key()));
            return released;
        }

        @Override
        public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
            last.remove(lease.key());
            return super.releaseAndQueue(lease, node, mayStay);
        }

        @Override
        public Optional<LeaseId> forceRelease(String key) throws StoreException {
            last.remove(key);
            return super.forceRelease(key);
        }

        @Override
        public Optional<StoredLease> find(String key) throws StoreException {
            return super.find(key).or(() -> Optional.ofNullable(last.get(key)));
        }
    }

    /** Takes the prefix for a pattern. */
    static class ListsByPattern extends RefinedStore {

        @Override
        public List<StoredLease> list(String keyPrefix) throws StoreException {
            String pattern = keyPrefix.replaceAll("[\\\\^$.|?*+(){}\\[\\]]", "\\\\$0")
                    .replace("%", ".*").replace("_", ".") + ".*";
            return super.list("").stream().filter(lease -> lease.id().key().matches(pattern)).toList();
        }
    }

    /** Compares keys as many a collation does. */
    static class IgnoresCase extends RefinedStore {

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            for (StoredLease lease : super.list("")) {
                String key = lease.id().key();
                if (key.equalsIgnoreCase(request.lease().key()) && !key.equals(request.lease().key())) {
                    return new Acquisition.Refused(lease.remaining(), false);
                }
            }
            return super.acquire(request);
        }
    }

    /** Takes each lease for running a little longer than it does. */
    static class RoundsUp extends RefinedStore {

        @Override
        public Optional<StoredLease> find(String key) throws StoreException {
            return super.find(key).map(this::rounded);
        }

        @Override
        public List<StoredLease> list(String keyPrefix) throws StoreException {
            return super.list(keyPrefix).stream().map(this::rounded).toList();
        }

        private StoredLease rounded(StoredLease lease) {
            return new StoredLease(
                    lease.id(), lease.acquiredAt(), lease.remaining().plusMillis(1), lease.fence());
        }
    }

    /** Sends every loss to everybody, also those of other tests. */
    static class TellsOfAll extends RefinedStore {

        @Override
        public Registration subscribe(Listener listener) {
            listener.lost(Set.of(new LeaseId("another::key", "another")), LossReason.DISCONNECTED);
            return super.subscribe(listener);
        }
    }

    private BrokenAnswers() {}
}
