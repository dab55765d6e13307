// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.bridge.ProviderLeases;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs work under a lock, or acquires the lock as a {@link HeldLock} that any thread may use. Get one from
 * {@link com.github.reservation.ReservationManager#lockManager()}.
 *
 * {@snippet file="com/github/reservation/demo/LeaseExamplesTest.java" region="pattern"}
 *
 * <p>A lock name is an identifier in the domain of the manager: these locks, its leases and its reservations exclude each other. They
 * are not reentrant: work that asks for its own lock again does not get it.
 *
 * <p>The lease is renewed automatically while the work runs, up to {@link LockOptions#maxHold}. By default that is the time of
 * {@code autoRenew} on the builder of the manager, or else one hour, or the lease time if that is longer. Afterwards the lease ends,
 * the lock is lost, and work that still runs can see it with {@link HeldLock#isHeld()} and {@link HeldLock#onLost}.
 *
 * <p>The lock is released when the work ends, however it ends. What the work throws always reaches the caller. If the lock was lost
 * while the work ran, {@link LockExecutionResult.Executed#lossReason()} says why. A release that the store does not answer is retried in
 * the background, and does not change the result.
 *
 * <p>{@code tryLock} takes work with and without a result. Java cannot tell these apart for a lambda such as
 * {@code lock -> counter.incrementAndGet()}; use {@link #tryRun} or {@link #tryCall} there.
 *
 * <p>Methods without options do not wait, except {@link #acquire(String)}. With a wait they queue as a
 * {@link com.github.reservation.Reservation} does: first come, first served between the threads of a manager, and in turns between
 * nodes. A lock manager is thread-safe. All methods throw {@link ReservationAcquisitionException} if the store fails,
 * {@link IllegalArgumentException} if an argument breaks its rule, and {@link IllegalStateException} if the manager is closed.
 */
@SuppressWarnings({"exports", "overloads"}) // Callers need not have the annotation; for lambdas, see tryRun and tryCall.
public interface LockManager {

    /**
     * Returns a lock manager on your own provider. It has no fencing tokens, and it polls while it waits, up to ten times a second. Keep
     * one for the life of the application. It need not be closed: its threads end some seconds after the last lock was released or lost.
     *
     * <p>A lock whose lease is missing from the result of {@link LockProvider#renew} is lost. So for a provider that cannot renew, set
     * {@link LockOptions#maxHold} to the lease time. The provider gets each lease back as it returned it last. A lock is not trusted after
     * the latest {@link LockLease#expiresAt()} that the provider returned for it. So a provider may grant shorter leases than it was asked
     * for; they are renewed in time if {@code maxHold} is longer than the lease time. A renewal must not make a lease shorter.
     *
     * @param lease the default lease time
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    static LockManager of(LockProvider provider, Duration lease) {
        Objects.requireNonNull(provider, "provider must not be null");
        ManagerSettings settings = new ManagerSettings(
                "locks",
                LeaseTimes.requireValid("lease", lease),
                false,
                Duration.ofMillis(10),
                Duration.ofMillis(100),
                Ticker.system(),
                Meters.NONE);
        return new StoreReservationManager(new ProviderLeases(provider, settings.ticker()), settings).lockManager();
    }

    /** Does the work if the lock is free. */
    default <X extends Exception> LockExecutionResult<@Nullable Void> tryLock(String lockName, LockAction<X> work)
            throws X {
        return tryRun(lockName, work);
    }

    /** Does the work if the lock is free, and returns its result. */
    default <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryLock(
            String lockName, LockFunction<T, X> work) throws X {
        return tryCall(lockName, work);
    }

    /**
     * Does the work if the lock is free in time.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; the work is not done then
     */
    default <X extends Exception> LockExecutionResult<@Nullable Void> tryLock(
            String lockName, LockOptions options, LockAction<X> work) throws X, InterruptedException {
        return tryRun(lockName, options, work);
    }

    /**
     * Does the work if the lock is free in time, and returns its result.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; the work is not done then
     */
    default <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryLock(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException {
        return tryCall(lockName, options, work);
    }

    /** Like {@link #tryLock(String, LockAction)}. */
    <X extends Exception> LockExecutionResult<@Nullable Void> tryRun(String lockName, LockAction<X> work) throws X;

    /** Like {@link #tryLock(String, LockOptions, LockAction)}. */
    <X extends Exception> LockExecutionResult<@Nullable Void> tryRun(
            String lockName, LockOptions options, LockAction<X> work) throws X, InterruptedException;

    /** Like {@link #tryLock(String, LockFunction)}. */
    <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockFunction<T, X> work) throws X;

    /** Like {@link #tryLock(String, LockOptions, LockFunction)}. */
    <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException;

    /** Acquires the lock if it is free; returns null if not. */
    @Nullable HeldLock tryAcquire(String lockName);

    /**
     * Acquires the lock if it is free in time; returns null if not.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    @Nullable HeldLock tryAcquire(String lockName, LockOptions options) throws InterruptedException;

    /**
     * Acquires the lock; waits until it is free.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    HeldLock acquire(String lockName) throws InterruptedException;

    /**
     * Acquires the lock; waits until it is free, or for the time of the options.
     *
     * @throws ReservationAcquisitionException if the lock was not free in time, or if the store failed; {@link #tryAcquire(String,
     *     LockOptions)} tells the two apart
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    HeldLock acquire(String lockName, LockOptions options) throws InterruptedException;
}
