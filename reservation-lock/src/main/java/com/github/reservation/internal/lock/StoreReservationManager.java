// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ExecutionResult;
import com.github.reservation.ExecutionResult.Executed;
import com.github.reservation.ExecutionResult.NotAcquired;
import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import com.github.reservation.ReservedAction;
import com.github.reservation.ReservedCall;
import com.github.reservation.internal.base.Purger;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.Losses;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.metrics.GuardedObserver;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.waiting.Acquirer;
import com.github.reservation.internal.waiting.HolderNames;
import com.github.reservation.internal.waiting.LocalQueue;
import com.github.reservation.internal.waiting.PollIntervals;
import com.github.reservation.internal.waiting.Releaser;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The one manager of this library, for every backend. */
public final class StoreReservationManager implements ReservationManager {

    private final ManagerSettings settings;
    private final LockDomain domain;
    private final LocalQueue queue = new LocalQueue();
    private final HoldTable holdTable = new HoldTable();
    private final RetryingStore store;
    private final Losses losses;
    private final Grants grants;
    private final HoldLifecycle holds;
    private final StoreLockProvider leases;
    private final StoreLockManager locks;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Registration gauges;
    private final @Nullable Registration signals;
    private final Runnable endPurge;

    public StoreReservationManager(LeaseStore leaseStore, ManagerSettings settings) {
        if (settings.maxHold() != null && leaseStore instanceof FixedLeaseStore) {
            throw new IllegalStateException("autoRenew needs a store that can renew leases, and this one cannot");
        }
        this.settings = settings;
        this.domain = new LockDomain(
                settings.domain(),
                new ReservationKeyBuilder(settings.domain()),
                settings.domainInKey(),
                settings.leaseTime(),
                settings.maxHold(),
                settings.ticker(),
                settings.meters(),
                closed::get);
        this.store = new RetryingStore(
                leaseStore, settings.ticker(), settings.domain(), settings.meters(), queue::wake);
        this.losses = new Losses(settings.domain(), settings.ticker(), settings.meters());
        this.grants = new Grants(store, losses, holdTable::forgetLost);
        PollIntervals polls = new PollIntervals(settings.firstPoll(), settings.longestPoll());
        Acquirer acquirer = new Acquirer(
                settings.domain(), GuardedObserver.of(settings.observer()), store, grants, queue, polls, closed::get);
        Releaser releaser = new Releaser(store, grants, queue, polls);
        this.holds = new HoldLifecycle(settings, holdTable, grants, acquirer, releaser, store);
        this.leases = new StoreLockProvider(domain, store, grants, queue);
        this.locks = new StoreLockManager(domain, grants, losses, acquirer, releaser);
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
        return new StoreReservation(this, store, holds, identifier, domain.keyOf("identifier", identifier));
    }

    @Override
    public LockProvider lockProvider() {
        return leases;
    }

    @Override
    public LockManager lockManager() {
        return locks;
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
    public <X extends Exception> void run(String identifier, ReservedAction<X> action) throws X {
        Objects.requireNonNull(action, "action must not be null");
        this.<@Nullable Void, X>call(identifier, held -> {
            action.run(held);
            return null;
        });
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(String identifier, ReservedCall<T, X> call)
            throws X {
        Objects.requireNonNull(call, "call must not be null");
        Reservation reservation = getReservation(identifier);
        reservation.lock();
        return callAndUnlock(reservation, call);
    }

    @Override
    public <X extends Exception> boolean tryRun(
            String identifier, Duration wait, Duration lease, ReservedAction<X> action)
            throws X, InterruptedException {
        Objects.requireNonNull(action, "action must not be null");
        ExecutionResult<@Nullable Void> result = this.<@Nullable Void, X>tryCall(identifier, wait, lease, held -> {
            action.run(held);
            return null;
        });
        return result instanceof Executed;
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> ExecutionResult<T> tryCall(
            String identifier, Duration wait, Duration lease, ReservedCall<T, X> call)
            throws X, InterruptedException {
        Objects.requireNonNull(call, "call must not be null");
        Reservation reservation = getReservation(identifier);
        return reservation.tryLock(wait, lease)
                ? new Executed<>(callAndUnlock(reservation, call))
                : new NotAcquired<>();
    }

    @Override
    public Registration onLost(LossListener listener) {
        return losses.addListener(Objects.requireNonNull(listener, "listener must not be null"));
    }

    @Override
    public Registration addListener(ReservationListener listener) {
        return losses.events().addListener(Objects.requireNonNull(listener, "listener must not be null"));
    }

    @Override
    public List<ReservationInfo> listReservations() {
        String prefix = domain.keyPrefix();
        try {
            return store.list(prefix).stream()
                    .map(lease -> info(lease, prefix.length()))
                    .toList();
        } catch (StoreException e) {
            throw new ReservationException("Could not list the reservations of domain " + settings.domain(), e);
        }
    }

    @Override
    public Optional<ReservationInfo> findReservation(String identifier) {
        String key = domain.keyOf("identifier", identifier);
        try {
            return store.find(key).map(lease -> info(lease, domain.keyPrefix().length()));
        } catch (StoreException e) {
            throw new ReservationException("Could not find reservation " + key, e);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
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

    LockDomain domain() {
        return domain;
    }

    /** Returns how the message of a failed acquisition begins. */
    String acquisitionFailed() {
        return settings.acquisitionFailed();
    }

    private static <T extends @Nullable Object, X extends Exception> T callAndUnlock(
            Reservation held, ReservedCall<T, X> call) throws X {
        Throwable failure = null;
        try {
            return call.call(held);
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            unlock(held, failure);
        }
    }

    /** Unlocks, and never masks what the work threw. */
    private static void unlock(Reservation reservation, @Nullable Throwable failure) {
        try {
            reservation.unlock();
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
    }

    private static ReservationInfo info(StoredLease lease, int prefixLength) {
        return new ListedReservation(
                lease.id().key().substring(prefixLength),
                HolderNames.readable(lease.id().holder()),
                lease.acquiredAt(),
                lease.remaining(),
                lease.fence());
    }

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
