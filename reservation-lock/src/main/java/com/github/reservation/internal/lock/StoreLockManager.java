// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.Losses;
import com.github.reservation.internal.waiting.Acquirer;
import com.github.reservation.internal.waiting.Outcome;
import com.github.reservation.internal.waiting.Patience;
import com.github.reservation.internal.waiting.Releaser;
import com.github.reservation.internal.waiting.Wanted;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockAction;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockExecutionResult.NotAcquired;
import com.github.reservation.lease.LockFunction;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The locks of one manager that no thread owns: a grant for each, and no hold. */
public final class StoreLockManager implements LockManager {

    private final LockDomain domain;
    private final Ticker ticker;
    private final Grants grants;
    private final Losses losses;
    private final Acquirer acquirer;
    private final Releaser releaser;

    public StoreLockManager(
            LockDomain domain, Grants grants, Losses losses, Acquirer acquirer, Releaser releaser) {
        this.domain = domain;
        this.ticker = domain.ticker();
        this.grants = grants;
        this.losses = losses;
        this.acquirer = acquirer;
        this.releaser = releaser;
    }

    @Override
    public <X extends Exception> LockExecutionResult<@Nullable Void> tryRun(String lockName, LockAction<X> work)
            throws X {
        return tryCall(lockName, withoutResult(work));
    }

    @Override
    public <X extends Exception> LockExecutionResult<@Nullable Void> tryRun(
            String lockName, LockOptions options, LockAction<X> work) throws X, InterruptedException {
        return tryCall(lockName, options, withoutResult(work));
    }

    private static <X extends Exception> LockFunction<@Nullable Void, X> withoutResult(LockAction<X> work) {
        requireWork(work);
        return lock -> {
            work.run(lock);
            return null;
        };
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockFunction<T, X> work) throws X {
        requireWork(work);
        return execute(tryAcquire(lockName), work);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException {
        requireWork(work);
        return execute(tryAcquire(lockName, options), work);
    }

    private static void requireWork(Object work) {
        Objects.requireNonNull(work, "work must not be null");
    }

    @Override
    public @Nullable GrantedLock tryAcquire(String lockName) {
        try {
            return acquire(lockName, LockOptions.defaults(), Patience.none(ticker.nanos()));
        } catch (InterruptedException e) {
            throw new IllegalStateException("An uninterruptible call was interrupted", e);
        }
    }

    @Override
    public @Nullable GrantedLock tryAcquire(String lockName, LockOptions options) throws InterruptedException {
        requireOptions(options);
        Duration wait = options.waitTime();
        return acquire(lockName, options, Patience.of(ticker.nanos(), wait == null ? Duration.ZERO : wait));
    }

    @Override
    public HeldLock acquire(String lockName) throws InterruptedException {
        return acquire(lockName, LockOptions.defaults());
    }

    @Override
    public HeldLock acquire(String lockName, LockOptions options) throws InterruptedException {
        requireOptions(options);
        long now = ticker.nanos();
        Duration wait = options.waitTime();
        HeldLock lock = acquire(lockName, options, wait == null ? Patience.endless(now, true) : Patience.of(now, wait));
        if (lock == null) {
            throw new ReservationAcquisitionException(
                    domain.name(), lockName, "Lock " + domain.shown(lockName) + " was not free within " + wait);
        }
        return lock;
    }

    private static void requireOptions(LockOptions options) {
        Objects.requireNonNull(options, "options must not be null");
    }

    private @Nullable GrantedLock acquire(String lockName, LockOptions options, Patience patience)
            throws InterruptedException {
        domain.requireOpen();
        String key = domain.keyOf("lockName", lockName);
        Duration wanted = options.leaseTime() == null ? domain.leaseTime() : options.leaseTime();
        Duration maxHold = options.maxHold() == null ? domain.maxHold(wanted) : options.maxHold();
        Duration lease = wanted.compareTo(maxHold) < 0 ? wanted : maxHold;
        String result = "error";
        try {
            if (patience.interruptible() && Thread.interrupted()) {
                throw new InterruptedException();
            }
            Outcome outcome = acquirer.acquire(new Wanted(lockName, key, lease, patience));
            result = outcome.result();
            return switch (outcome) {
                case Outcome.Acquired acquired -> held(acquired, lease, maxHold);
                case Outcome.TimedOut timedOut -> null;
                case Outcome.Failed failed -> throw new ReservationAcquisitionException(
                        domain.name(),
                        lockName,
                        "Failed to acquire lock " + domain.shown(lockName) + ": "
                                + failed.failure().getMessage(),
                        failed.failure());
            };
        } catch (InterruptedException e) {
            result = "interrupted";
            throw e;
        } finally {
            domain.measure(patience.start(), result);
        }
    }

    private GrantedLock held(Outcome.Acquired acquired, Duration lease, Duration maxHold) {
        Grant grant = acquired.grant();
        if (grants.canRenew()) {
            grant.keepAlive(lease, maxHold, null);
        }
        grants.add(grant, acquired.heardBefore());
        return new GrantedLock(domain.name(), grant, lease, ticker, grants, losses, releaser);
    }

    private <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> execute(
            @Nullable GrantedLock lock, LockFunction<T, X> work) throws X {
        if (lock == null) {
            return new NotAcquired<>();
        }
        LockLease lease = lock.lease();
        T value;
        try {
            value = work.apply(lock);
        } catch (Throwable e) {
            releaseAfterFailure(lock, e);
            throw e;
        }
        releaseAfterSuccess(lock);
        return new Executed<>(value, lease, lock.findLossReason());
    }

    /** Releases the lock. If the store does not answer, the work was still done under the lock, and the release is retried. */
    private static void releaseAfterSuccess(GrantedLock lock) {
        try {
            lock.release();
        } catch (RuntimeException e) {
            Log.debug("Could not release lock " + lock.name() + "; retried until its lease ends", e);
        }
    }

    /** Releases the lock, and never masks what the work threw. */
    private void releaseAfterFailure(GrantedLock lock, Throwable failure) {
        try {
            lock.release();
            if (lock.isLost()) {
                failure.addSuppressed(new ReservationExpiredException(domain.name(), lock.name()));
            }
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }
}
