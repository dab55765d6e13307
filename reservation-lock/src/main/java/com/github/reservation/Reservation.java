// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that one thread of the whole cluster can hold, for a time that always ends.
 *
 * <p>Get one from {@link ReservationManager#getReservation}. It has no state of its own: every instance with the same
 * identifier of one manager is the same lock, and any number of threads may share one instance.
 *
 * <table class="striped">
 * <caption>What the methods do</caption>
 * <thead><tr><th>method</th><th>waits for the holder</th><th>when the store fails</th></tr></thead>
 * <tbody>
 * <tr><td>{@link #lock()}, {@link #lock(Duration)}, {@link #lockInterruptibly()}</td><td>without limit</td>
 *     <td>{@link ReservationAcquisitionException}</td></tr>
 * <tr><td>{@link #tryLock()}</td><td>no</td><td>{@code false}</td></tr>
 * <tr><td>{@link #tryLock(long, TimeUnit)}, {@link #tryLock(Duration, Duration)}</td><td>up to the given time</td>
 *     <td>tries again until the time is over, then {@code false}</td></tr>
 * <tr><td>{@link #unlock()}</td><td>no</td><td>{@link ReservationException}; the hold is over all the same</td></tr>
 * <tr><td>{@link #renew()}, {@link #isLocked()}, {@link #getRemainingLeaseTime()}, {@link #forceUnlock()}</td>
 *     <td>no</td><td>{@link ReservationException}</td></tr>
 * <tr><td>{@link #isHeldByCurrentThread()}, {@link #getHoldCount()}, {@link #fencingToken()}</td><td>no</td>
 *     <td>never asked</td></tr>
 * </tbody>
 * </table>
 *
 * <p>A store that is set up wrongly (a missing table, a missing grant) makes every method that asks it throw, the
 * {@code tryLock} forms too: it must not read as "busy" for ever. Only a thread that already holds the reservation gets
 * it again whatever the store says, for as long as the lease that it has.
 *
 * <p><b>Expiry.</b> The lease is counted from before the request was sent, less a margin of 50 ms or 1 % (at most half of
 * the lease): when that time is over {@link #isHeldByCurrentThread()} is {@code false} and the {@link LossListener}s are
 * told, so that a holder stops before anybody else can start. A hold is also lost if the machine was suspended and the
 * lease ended more than a second ago by the wall clock. {@link #unlock()} after the lease throws
 * {@link ReservationExpiredException} and leaves whoever holds the key now alone.
 *
 * <p><b>Reentrancy.</b> A thread that holds the reservation gets it again at once, through any instance of the same
 * manager. That renews the lease and never shortens it; the lock is free after as many unlocks. If the lease was lost
 * in between, the thread acquires anew, and the unlocks of the lost holds throw {@link ReservationExpiredException}.
 */
public interface Reservation extends Lock {

    /** Returns the identifier within the manager's domain. */
    String getIdentifier();

    /** Returns the key in the store: {@code domain::identifier}, or the identifier alone where domains are kept apart. */
    String getReservationKey();

    /**
     * Returns how long the lease in force still runs, whoever holds it: for the current thread the time that it may
     * still trust, for others what the store says; {@link Duration#ZERO} if nobody holds it, or this thread does and may
     * not trust it any more.
     */
    Duration getRemainingLeaseTime();

    /** Asks the store whether anybody holds this reservation now. */
    boolean isLocked();

    /**
     * Releases this reservation whoever holds it, also in another process. Meant for an administrator: the holder goes on
     * working until it is told, or finds out when it unlocks.
     */
    void forceUnlock();

    /**
     * Acquires the reservation and waits for it as long as it takes. An interrupt does not end the wait; it is kept for
     * the caller.
     *
     * @throws ReservationAcquisitionException if the store fails on the first try, or for one lease time while waiting
     * @throws IllegalStateException if the manager is closed, also while waiting
     */
    @Override
    void lock() throws ReservationAcquisitionException;

    /**
     * Acquires the reservation like {@link #lock()}, for a lease of its own. It is also how long the store may fail while
     * this method waits.
     *
     * @param lease how long to hold it at most; on a reentrant call it can lengthen the lease, never shorten it
     * @throws ReservationAcquisitionException if the store fails on the first try, or for that lease while waiting
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     * @throws IllegalStateException if the manager is closed, also while waiting
     */
    void lock(Duration lease) throws ReservationAcquisitionException;

    /**
     * Acquires the reservation like {@link #lock()}, but an interrupt ends the wait, and then nothing is acquired later.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    @Override
    void lockInterruptibly() throws InterruptedException, ReservationAcquisitionException;

    /**
     * Acquires the reservation if it is free now. It asks the store once and overtakes the threads that wait in this
     * manager, but not another node whose turn it is.
     */
    @Override
    boolean tryLock();

    /**
     * Acquires the reservation if it becomes free within the given time; with zero or less it asks once.
     *
     * @return {@code false} if the time ran out, also because the store did not answer
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is acquired later
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Acquires the reservation like {@link #tryLock(long, TimeUnit)}, for a lease of its own.
     *
     * @param lease how long to hold it at most; on a reentrant call it can lengthen the lease, never shorten it
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Gives the reservation back, or one of several reentrant holds. Whatever it throws, this hold is over and the next
     * thread may go on; if the store cannot be reached, the release is repeated in the background until the lease ends.
     *
     * @throws ReservationExpiredException if the hold was lost before
     * @throws ReservationException if the store did not answer
     * @throws IllegalMonitorStateException if this thread does not hold the reservation
     */
    @Override
    void unlock() throws ReservationExpiredException;

    /** Throws {@link UnsupportedOperationException}: there are no conditions across a cluster. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("Conditions are not supported for distributed reservations. "
                + "Consider using a distributed coordination service for complex synchronization.");
    }

    /**
     * Renews the lease for the manager's lease time from now on.
     *
     * @return {@code false} if the hold was lost; it is never brought back to life
     * @throws ReservationException if the store did not answer; the old lease goes on
     * @throws IllegalMonitorStateException if this thread does not hold the reservation
     * @throws UnsupportedOperationException if the locks are kept by a
     *     {@link com.github.reservation.oracle.LockingStrategy} that cannot renew
     */
    boolean renew();

    /**
     * Renews the lease like {@link #renew()}, for the given time; a lease that runs longer stays as it is.
     *
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    boolean renew(Duration lease);

    /** Returns whether this thread holds the reservation and may still trust it. Local and cheap: call it often. */
    boolean isHeldByCurrentThread();

    /** Returns how often this thread holds the reservation, or 0 if it does not hold it (any more). */
    int getHoldCount();

    /**
     * Returns the fencing token of this thread's hold: a number that only grows with each acquisition of the key. Send it
     * along with each write and let the target reject a smaller one than it has seen. Empty if this thread does not hold
     * the reservation, or the backend has no tokens.
     */
    OptionalLong fencingToken();
}
