// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.base.Purger;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.Losses;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.lock.HoldLifecycle.Use;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.waiting.LocalQueue;
import com.github.reservation.internal.waiting.Node;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockFunction;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The one manager of this library, for every backend. */
public final class StoreReservationManager implements ReservationManager {

    private final ManagerSettings settings;
    private final LocalQueue queue;
    private final HoldTable holdTable = new HoldTable();
    private final RetryingStore store;
    private final Losses losses;
    private final Grants grants;
    private final NamedLocks locks;
    private final StoreLockProvider leases;
    private final Registration gauges;
    private final @Nullable Registration signals;
    private final Runnable endPurge;

    public StoreReservationManager(LeaseStore leaseStore, ManagerSettings settings) {
        if (settings.maxHold() != null && leaseStore instanceof FixedLeaseStore) {
            throw new IllegalStateException("autoRenew needs a store that can renew leases, and this one cannot");
        }
        this.settings = settings;
        this.queue = new LocalQueue(settings.holderLabel());
        this.store = new RetryingStore(
                leaseStore, settings.ticker(), settings.domain(), settings.meters(), queue::wake);
        this.losses = new Losses(settings.domain(), settings.ticker(), settings.meters());
        this.grants = new Grants(store, losses, holdTable::forgetLost);
        HoldLifecycle holds =
                new HoldLifecycle(settings, holdTable, grants, losses.events(), queue, store);
        this.locks = new NamedLocks(settings, holds, grants, losses, store);
        this.leases = new StoreLockProvider(locks, queue);
        this.gauges = track();
        // A manager that cannot be built leaves nothing behind.
        Runnable endPurge = () -> {};
        boolean built = false;
        try {
            if (leaseStore instanceof PurgingStore purging) {
                endPurge = Purger.add(purging, settings.ticker());
            }
            this.signals =
                    leaseStore instanceof SignallingStore signalling ? signalling.subscribe(new Signals()) : null;
            built = true;
        } finally {
            if (!built) {
                endPurge.run();
                gauges.close();
            }
        }
        this.endPurge = endPurge;
    }

    private Registration track() {
        Meters meters = settings.meters();
        Registration active = meters.trackActive(settings.domain(), grants::countTrusted);
        try {
            Registration waiting = meters.trackWaiting(settings.domain(), queue::size);
            return () -> {
                active.close();
                waiting.close();
            };
        } catch (Throwable e) {
            active.close();
            throw e;
        }
    }

    @Override
    public Reservation getReservation(String identifier) {
        return new StoreReservation(locks, queue, identifier);
    }

    @Override
    public LockProvider lockProvider() {
        return leases;
    }

    @Override
    public String getDomain() {
        return settings.domain();
    }

    @Override
    public Duration getLeaseTime() {
        return settings.leaseTime();
    }

    @Override
    public Optional<Duration> getMaxHold() {
        return Optional.ofNullable(settings.maxHold());
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(String lockName, LockFunction<T, X> work)
            throws X {
        return work(work).under(locks.await(lockName, Use.WORK));
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException {
        return work(work).under(locks.await(lockName, options, Use.WORK));
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockFunction<T, X> work) throws X {
        return work(work).tryUnder(locks.tryOnce(lockName, Use.WORK));
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException {
        return work(work).tryUnder(locks.tryWaiting(lockName, options, Use.WORK));
    }

    private <T extends @Nullable Object, X extends Exception> Work<T, X> work(LockFunction<T, X> work) {
        return new Work<>(settings, Objects.requireNonNull(work, "work must not be null"));
    }

    @Override
    public @Nullable HeldLock tryAcquire(String lockName) {
        return locks.tryOnce(lockName, Use.HANDLE);
    }

    @Override
    public @Nullable HeldLock tryAcquire(String lockName, LockOptions options) throws InterruptedException {
        return locks.tryWaiting(lockName, options, Use.HANDLE);
    }

    @Override
    public HeldLock acquire(String lockName, LockOptions options) throws InterruptedException {
        return locks.await(lockName, options, Use.HANDLE);
    }

    @Override
    public Registration onLost(LossListener listener) {
        return losses.addListener(Objects.requireNonNull(listener, "listener must not be null"));
    }

    @Override
    public Registration onEvent(ReservationListener listener) {
        return losses.events().addListener(Objects.requireNonNull(listener, "listener must not be null"));
    }

    @Override
    public List<ReservationInfo> listReservations() {
        try {
            return store.list(settings.keyPrefix()).stream().map(this::info).toList();
        } catch (StoreException e) {
            throw new ReservationException("Could not list the reservations of domain " + settings.domain(), e);
        }
    }

    @Override
    public Optional<ReservationInfo> findReservation(String identifier) {
        String key = settings.keyOf("identifier", identifier);
        try {
            return store.find(key).map(this::info);
        } catch (StoreException e) {
            throw new ReservationException("Could not find reservation " + key, e);
        }
    }

    @Override
    public void close() {
        if (locks.holds().close()) {
            grants.stopRenewing();
            queue.wakeAll();
            gauges.close();
            endPurge.run();
            closeWithSignals(); // Last, because a store may throw.
        }
    }

    /** Keeps the subscription until the last grant has ended if a signal could report its loss, else ends it now. */
    private void closeWithSignals() {
        Runnable endSignals = signals == null ? () -> {} : signals::close;
        if (store.store() instanceof SignallingStore signalling && !signalling.tellsOfLosses()) {
            endSignals.run();
            endSignals = () -> {};
        }
        grants.close(endSignals);
    }

    @Override
    public String toString() {
        return "ReservationManager[" + settings.domain() + "]";
    }

    LocalQueue queue() {
        return queue;
    }

    HoldTable holdTable() {
        return holdTable;
    }

    Grants grants() {
        return grants;
    }

    RetryingStore store() {
        return store;
    }

    private ReservationInfo info(StoredLease lease) {
        return new Info(
                lease.id().key().substring(settings.keyPrefix().length()),
                Node.readable(lease.id().holder()),
                lease.acquiredAt(),
                lease.remaining(),
                lease.fence());
    }

    /** What the store shows of a reservation. */
    private record Info(
            String identifier, String holder, Instant since, Duration remaining, OptionalLong fencingToken)
            implements ReservationInfo {}

    /** Receives what the store signals. */
    private final class Signals implements SignallingStore.Listener {

        @Override
        public String node() {
            return queue.node().nameIfWaited();
        }

        @Override
        public void free(String key) {
            queue.wake(key);
        }

        @Override
        public void lost(Set<LeaseId> leases, LossReason reason) {
            grants.signalled(leases, reason);
        }
    }
}
