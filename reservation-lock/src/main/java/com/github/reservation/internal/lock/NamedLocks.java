// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationException;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.Losses;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.lock.HoldLifecycle.Use;
import com.github.reservation.internal.waiting.Node;
import com.github.reservation.internal.waiting.Outcome;
import com.github.reservation.internal.waiting.Wanted;
import com.github.reservation.internal.waiting.Wanted.Patience;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Acquires the locks of a manager by their names, for work and as handles. */
record NamedLocks(ManagerSettings settings, HoldLifecycle holds, Grants grants, Losses losses, RetryingStore store) {

    /** Makes one attempt; null if the lock is busy. */
    @Nullable GrantedLock tryOnce(String name, Use use) {
        return acquireUninterruptibly(name, Patience.none(now()), use);
    }

    /** Waits for the time of the options, and not at all without one; null if the lock is not free in time. */
    @Nullable GrantedLock tryWaiting(String name, LockOptions options, Use use) throws InterruptedException {
        Duration wait = requireOptions(options).waitTime();
        return acquire(name, options, Patience.of(now(), wait == null ? Duration.ZERO : wait), use);
    }

    /** Waits without limit, also while the thread is interrupted. */
    GrantedLock await(String name, Use use) {
        return Objects.requireNonNull(acquireUninterruptibly(name, Patience.endless(now(), false), use));
    }

    /** Waits for the time of the options, and without limit without one; throws if the lock is not free in time. */
    GrantedLock await(String name, LockOptions options, Use use) throws InterruptedException {
        Duration wait = requireOptions(options).waitTime();
        Patience patience = wait == null ? Patience.endless(now(), true) : Patience.of(now(), wait);
        GrantedLock lock = acquire(name, options, patience, use);
        if (lock == null) {
            throw busy(name, Objects.requireNonNull(wait));
        }
        return lock;
    }

    private static LockOptions requireOptions(LockOptions options) {
        return Objects.requireNonNull(options, "options must not be null");
    }

    private long now() {
        return settings.ticker().nanos();
    }

    private @Nullable GrantedLock acquireUninterruptibly(String name, Patience patience, Use use) {
        try {
            return acquire(name, LockOptions.defaults(), patience, use);
        } catch (InterruptedException e) {
            throw new IllegalStateException("An uninterruptible call was interrupted", e);
        }
    }

    private @Nullable GrantedLock acquire(String name, LockOptions options, Patience patience, Use use)
            throws InterruptedException {
        String key = settings.keyOf("lockName", name);
        Duration wanted = options.leaseTime() == null ? settings.leaseTime() : options.leaseTime();
        Duration maxHold = options.maxHold() == null ? settings.maxHold(wanted) : options.maxHold();
        Duration lease = wanted.compareTo(maxHold) < 0 ? wanted : maxHold;
        return switch (holds.acquire(new Wanted(name, key, lease, maxHold, patience), use)) {
            case Outcome.Acquired acquired -> new GrantedLock(
                    this, acquired.grant(), lease, use == Use.WORK ? Thread.currentThread() : null);
            case Outcome.TimedOut timedOut -> null;
            case Outcome.Interrupted interrupted -> throw new InterruptedException();
            case Outcome.Failed failed -> throw settings.failed(name, failed.failure());
        };
    }

    /** Looks once who has the lock. The store has said that it is busy: that stands, also if the store does not answer now. */
    private ReservationBusyException busy(String name, Duration waited) {
        String key = settings.keyOf("lockName", name);
        Optional<StoredLease> holder = Optional.empty();
        try {
            holder = store.retries().answer(() -> store.store().find(key), now());
        } catch (StoreException e) {
            Log.debug("Could not find out who holds " + settings.shown(name), e);
        }
        return new ReservationBusyException(
                settings.domain(),
                name,
                waited,
                holder.map(lease -> Node.readable(lease.id().holder())).orElse(null),
                holder.map(StoredLease::remaining).orElse(null));
    }

    boolean renew(Grant grant, Duration leaseTime) {
        if (!grants.canRenew()) {
            throw new UnsupportedOperationException(
                    "The store cannot renew reservation " + settings.shown(grant.identifier()));
        }
        try {
            return grants.renew(grant, leaseTime);
        } catch (StoreException e) {
            throw new ReservationException(
                    "Could not renew reservation " + settings.shown(grant.identifier()) + "; its old lease goes on", e);
        }
    }
}
