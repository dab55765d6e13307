// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.bridge.ProviderLeaseStore;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs work under a lock, or acquires the lock as a {@link HeldLock} that any thread may use. Every
 * {@link com.github.reservation.ReservationManager} is one.
 *
 * {@snippet file="com/github/reservation/demo/LeaseExamplesTest.java" region="pattern"}
 *
 * <table class="striped">
 * <caption>Blocking and answers</caption>
 * <thead><tr><th>method</th><th>waits for the holder</th><th>if the lock is busy</th></tr></thead>
 * <tbody>
 * <tr><td>{@code run}, {@code call}, {@code acquire}</td><td>without limit, or for the wait time of the options</td>
 *     <td>{@link ReservationBusyException} when the wait is over</td></tr>
 * <tr><td>{@code tryRun}, {@code tryCall}, {@code tryLock}</td><td>no, or for the wait time of the options</td>
 *     <td>{@link LockExecutionResult.NotAcquired}</td></tr>
 * <tr><td>{@code tryAcquire}</td><td>no, or for the wait time of the options</td><td>null</td></tr>
 * </tbody>
 * </table>
 *
 * <p>All methods throw {@link ReservationAcquisitionException} if the store fails or is misconfigured: an outage never looks like a busy
 * lock. They throw {@link IllegalArgumentException} if an argument breaks its rule, and {@link IllegalStateException} if the manager is
 * closed. A lock manager is thread-safe.
 *
 * <p>A lock name is an identifier in the domain of the manager: these locks, its leases and its reservations exclude each other. A wait
 * queues as that of a {@link com.github.reservation.Reservation} does: first come, first served between the threads of a manager, and in
 * turns between nodes.
 *
 * <p><b>Reentrancy.</b> Work belongs to the thread that calls. Work inside work of the same name joins the lock that the thread holds; so
 * does work inside a locked {@link com.github.reservation.Reservation}. The outermost one releases the lock. A lock that has a longest
 * hold, as that of work has, is joined as it is: the options of the inner work have no effect. A reservation that nothing renews is
 * renewed once, for the lease time of the inner work. If the lock was lost before, the inner work acquires it anew. Handles belong to no
 * thread and join nothing: a thread that has a handle and asks for the same lock again does not get it.
 *
 * <p><b>Renewal.</b> The lease is renewed automatically while the work runs and while a handle is held, up to
 * {@link LockOptions#maxHold}. By default that is the time of {@code autoRenew} on the builder of the manager, or else one hour, or the
 * lease time if that is longer. Afterwards the lease ends, the lock is lost, and work that still runs can see it with
 * {@link HeldLock#isHeld()} and {@link HeldLock#onLost}. Work in a {@code Reservation} that nothing renews is not renewed either.
 *
 * <p><b>End.</b> The lock is released when the work ends, however it ends. What the work throws always reaches the caller; if the lock was
 * lost meanwhile, a {@link ReservationExpiredException} is added to it as suppressed. If work succeeds but has lost its lock, {@code run}
 * and {@code call} throw {@link ReservationExpiredException}, and {@link LockExecutionResult.Executed#lossReason()} of the others says
 * why. If the store still has the lease at the end, nothing was lost, also inside the margin, see {@link HeldLock}. A release that the
 * store does not answer is retried in the background, and does not change the result.
 *
 * <p>{@code tryLock} takes work with and without a result. Java cannot tell these apart for a lambda such as
 * {@code lock -> counter.incrementAndGet()}; use {@code tryRun} or {@code tryCall} there.
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
        return new StoreReservationManager(new ProviderLeaseStore(provider, settings.ticker()), settings);
    }

    /** Does the work; waits until the lock is free. An interrupt does not end the wait. */
    default <X extends Exception> void run(String lockName, LockAction<X> work) throws X {
        call(lockName, withoutResult(work));
    }

    /**
     * Does the work; waits until the lock is free, or for the time of the options.
     *
     * @throws ReservationBusyException if the lock was not free in time
     * @throws InterruptedException if the thread is interrupted before or during the wait; the work is not done then
     */
    default <X extends Exception> void run(String lockName, LockOptions options, LockAction<X> work)
            throws X, InterruptedException {
        call(lockName, options, withoutResult(work));
    }

    /** Returns the result of the work; otherwise like {@link #run(String, LockAction)}. */
    <T extends @Nullable Object, X extends Exception> T call(String lockName, LockFunction<T, X> work) throws X;

    /** Returns the result of the work; otherwise like {@link #run(String, LockOptions, LockAction)}. */
    <T extends @Nullable Object, X extends Exception> T call(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException;

    /** Does the work if the lock is free. */
    default <X extends Exception> LockExecutionResult<@Nullable Void> tryRun(String lockName, LockAction<X> work)
            throws X {
        return tryCall(lockName, withoutResult(work));
    }

    /**
     * Does the work if the lock is free in time.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; the work is not done then
     */
    default <X extends Exception> LockExecutionResult<@Nullable Void> tryRun(
            String lockName, LockOptions options, LockAction<X> work) throws X, InterruptedException {
        return tryCall(lockName, options, withoutResult(work));
    }

    /** Does the work if the lock is free, and returns its result. */
    <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockFunction<T, X> work) throws X;

    /** Returns the result of the work; otherwise like {@link #tryRun(String, LockOptions, LockAction)}. */
    <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryCall(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException;

    /** Like {@link #tryRun(String, LockAction)}. */
    default <X extends Exception> LockExecutionResult<@Nullable Void> tryLock(String lockName, LockAction<X> work)
            throws X {
        return tryRun(lockName, work);
    }

    /** Like {@link #tryCall(String, LockFunction)}. */
    default <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryLock(
            String lockName, LockFunction<T, X> work) throws X {
        return tryCall(lockName, work);
    }

    /** Like {@link #tryRun(String, LockOptions, LockAction)}. */
    default <X extends Exception> LockExecutionResult<@Nullable Void> tryLock(
            String lockName, LockOptions options, LockAction<X> work) throws X, InterruptedException {
        return tryRun(lockName, options, work);
    }

    /** Like {@link #tryCall(String, LockOptions, LockFunction)}. */
    default <T extends @Nullable Object, X extends Exception> LockExecutionResult<T> tryLock(
            String lockName, LockOptions options, LockFunction<T, X> work) throws X, InterruptedException {
        return tryCall(lockName, options, work);
    }

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
    default HeldLock acquire(String lockName) throws InterruptedException {
        return acquire(lockName, LockOptions.defaults());
    }

    /**
     * Acquires the lock; waits until it is free, or for the time of the options.
     *
     * @throws ReservationBusyException if the lock was not free in time
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    HeldLock acquire(String lockName, LockOptions options) throws InterruptedException;

    private static <X extends Exception> LockFunction<@Nullable Void, X> withoutResult(LockAction<X> work) {
        Objects.requireNonNull(work, "work must not be null");
        return lock -> {
            work.run(lock);
            return null;
        };
    }
}
