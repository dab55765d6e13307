// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.ExecutionResult;
import com.github.reservation.ExecutionResult.Executed;
import com.github.reservation.ExecutionResult.NotAcquired;
import com.github.reservation.LossListener;
import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.ReservedAction;
import com.github.reservation.ReservedCall;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.PurgingStore;
import com.github.reservation.internal.store.SignallingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The one manager of this library, for every backend. */
public final class StoreReservationManager implements ReservationManager {

    private final ManagerSettings settings;
    private final ReservationKeyBuilder keys;
    private final Core core;
    private final Holdings holdings;
    private final Acquirer acquirer;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Meters.Registration activeGauge;
    private final SignallingStore.@Nullable Subscription signals;
    private final Runnable endPurge;

    public StoreReservationManager(LeaseStore store, ManagerSettings settings) {
        this.settings = settings;
        this.keys = new ReservationKeyBuilder(settings.domain());
        this.core = Core.of(store, settings);
        this.holdings = new Holdings(core);
        this.acquirer = new Acquirer(core, closed::get);
        this.activeGauge = core.meters()
                .trackActive(settings.domain(), () -> core.holds().countTrusted(Reading.of(settings.ticker())));
        // A manager that cannot be built leaves nothing behind.
        Runnable endPurge = () -> {};
        boolean built = false;
        try {
            if (store instanceof PurgingStore purging) {
                endPurge = Purger.add(purging, settings.ticker());
            }
            this.signals = store instanceof SignallingStore signalling ? signalling.subscribe(new Signals()) : null;
            built = true;
        } finally {
            if (!built) {
                endPurge.run();
                activeGauge.close();
            }
        }
        this.endPurge = endPurge;
    }

    @Override
    public Reservation getReservation(String identifier) {
        String key = keys.build(identifier);
        return new StoreReservation(this, identifier, settings.domainInKey() ? key : identifier);
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
        return core.losses().addListener(Objects.requireNonNull(listener, "listener must not be null"));
    }

    @Override
    public List<ReservationInfo> listReservations() {
        String prefix = settings.domainInKey() ? keys.prefix() : "";
        try {
            return core.calls().list(prefix).stream()
                    .map(lease -> info(lease, prefix.length()))
                    .toList();
        } catch (StoreException e) {
            throw new ReservationException("Could not list the reservations of domain " + settings.domain(), e);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            core.queue().wakeAll();
            activeGauge.close();
            endPurge.run();
            closeWithSignals(); // Last, because a store may throw.
        }
    }

    /** Hears signals until the last hold has ended if they could tell of its loss; else nobody needs them any more. */
    private void closeWithSignals() {
        Runnable endSignals = signals == null ? () -> {} : signals::close;
        if (core.store() instanceof SignallingStore signalling && !signalling.tellsOfLosses()) {
            endSignals.run();
            endSignals = () -> {};
        }
        core.watch().close(endSignals);
    }

    @Override
    public String toString() {
        return "ReservationManager[" + settings.domain() + "]";
    }

    Core core() {
        return core;
    }

    Holdings holdings() {
        return holdings;
    }

    Acquirer acquirer() {
        return acquirer;
    }

    void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("The manager of domain " + settings.domain() + " is closed");
        }
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

    /** Unlocks, and lets nothing hide what the work threw. */
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

    /** What the store tells by itself. */
    private final class Signals implements SignallingStore.Listener {

        @Override
        public String node() {
            return core.node().nameIfWaited();
        }

        @Override
        public void free(String key) {
            core.queue().wake(key);
        }

        @Override
        public void lost(Set<LeaseId> leases, LossReason reason) {
            core.signals().lost(leases, reason);
        }
    }
}
