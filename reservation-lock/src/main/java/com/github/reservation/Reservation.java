// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock that one thread of a whole cluster can hold, for a limited time: the lease.
 *
 * <p>Get one from {@link ReservationManager#getReservation}. An instance has no state of its own: all instances of one manager
 * with the same identifier are the same lock, and any number of threads may share an instance.
 *
 * <table class="striped">
 * <caption>Blocking and failures</caption>
 * <thead><tr><th>method</th><th>waits for the holder</th><th>when the store fails</th></tr></thead>
 * <tbody>
 * <tr><td>{@link #lock()}, {@link #lock(Duration)}, {@link #lockInterruptibly()}</td><td>without limit</td>
 *     <td>{@link ReservationAcquisitionException}</td></tr>
 * <tr><td>{@link #tryLock()}</td><td>no</td><td>{@code false}</td></tr>
 * <tr><td>{@link #tryLock(long, TimeUnit)}</td><td>up to the given time</td>
 *     <td>retries until the time is over, then {@code false}</td></tr>
 * <tr><td>{@link #tryLock(Duration, Duration)}</td><td>up to the given time</td>
 *     <td>retries until the time is over, then {@link ReservationAcquisitionException}</td></tr>
 * <tr><td>{@link #unlock()}</td><td>no</td><td>{@link ReservationException}; the hold ends anyway</td></tr>
 * <tr><td>{@link #renew()}, {@link #isLocked()}, {@link #getRemainingLeaseTime()}, {@link #forceUnlock()}</td>
 *     <td>no</td><td>{@link ReservationException}</td></tr>
 * <tr><td>{@link #isHeldByCurrentThread()}, {@link #getHoldCount()}, {@link #fencingToken()}</td><td>no</td>
 *     <td>does not call the store</td></tr>
 * </tbody>
 * </table>
 *
 * <p>If the store is misconfigured (a missing table, a missing grant), every method that calls it throws, including
 * {@code tryLock}: a wrong configuration must not look like a busy lock. Exception: a thread that already holds the reservation
 * can still lock it again until its lease ends.
 *
 * <p><b>Expiry.</b> A holder counts its lease from before it sent the request, less a margin of 50 ms or 1 %, whichever is
 * longer, but at most half of the lease. After that time {@link #isHeldByCurrentThread()} returns {@code false} and the
 * {@link LossListener}s are called, so that the holder can stop before another one starts. A hold is also lost if the machine
 * was suspended and the lease ended more than a second ago by the wall clock. An {@link #unlock()} inside the margin still
 * succeeds, because the store still has the lease. After the end of the lease it throws {@link ReservationExpiredException} and does
 * not affect the next holder.
 *
 * <p><b>Reentrancy.</b> A thread that holds the reservation can lock it again at once, through any instance of the same
 * manager. This renews the lease and never shortens it. The lock is free after the same number of unlocks. If the lease was
 * lost in between, the thread acquires a new one, and the unlocks of the lost holds throw {@link ReservationExpiredException}.
 */
public interface Reservation extends Lock {

    /** Returns the identifier within the manager's domain. */
    String getIdentifier();

    /** Returns the key in the store: {@code domain::identifier}, on Hazelcast the identifier alone. */
    String getReservationKey();

    /**
     * Returns the remaining time of the current lease. If this thread holds the reservation, that is the time for which it may
     * still trust its lease; otherwise it is the time that the store returns. {@link Duration#ZERO} if the reservation is free,
     * or if this thread holds it and may no longer trust its lease.
     */
    Duration getRemainingLeaseTime();

    /** Returns whether any thread of any node holds this reservation, according to the store. */
    boolean isLocked();

    /**
     * Releases this reservation regardless of its holder, even in another process. Meant for administrators: the holder continues
     * its work until its listener is called or its unlock fails.
     */
    void forceUnlock();

    /**
     * Acquires the reservation, and waits without limit until it is free. An interrupt does not end the wait; this
     * method restores the interrupt flag before it returns.
     *
     * @throws ReservationAcquisitionException if the first attempt fails, or if the store has failed for a whole lease time
     *     while this thread waited
     * @throws IllegalStateException if the manager is closed before or during the wait
     */
    @Override
    void lock() throws ReservationAcquisitionException;

    /**
     * Acquires the reservation like {@link #lock()}, with the given lease.
     *
     * @param lease how long to hold it at most; a reentrant call can lengthen the current lease, never shorten it
     * @throws ReservationAcquisitionException if the first attempt fails, or if the store has failed for that time while this
     *     thread waited
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     * @throws IllegalStateException if the manager is closed before or during the wait
     */
    void lock(Duration lease) throws ReservationAcquisitionException;

    /**
     * Acquires the reservation like {@link #lock()}, but an interrupt ends the wait.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; nothing is acquired afterwards
     */
    @Override
    void lockInterruptibly() throws InterruptedException, ReservationAcquisitionException;

    /**
     * Acquires the reservation if it is free now. This method makes one attempt. It may overtake waiting threads of this manager,
     * but not another node whose turn it is.
     */
    @Override
    boolean tryLock();

    /**
     * Acquires the reservation if it becomes free within the given time. Zero or less means one attempt. When the time is over, the
     * store is asked a last time, so this method can take longer by one call to the store.
     *
     * @return {@code false} if the time ran out, even if the store did not answer at all
     * @throws InterruptedException if the thread is interrupted before or during the wait; nothing is acquired afterwards
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Acquires the reservation like {@link #tryLock(long, TimeUnit)}, with the given lease, and tells an outage from a busy lock.
     *
     * @param lease how long to hold it at most; a reentrant call can lengthen the current lease, never shorten it
     * @return {@code false} if another holder had it until the time ran out
     * @throws ReservationAcquisitionException if the store did not answer until the time ran out
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Releases the reservation, or one of several reentrant holds. Even if this method throws, the hold has ended and the next
     * thread can continue. If the store cannot be reached, the library retries the release in the background until the lease
     * ends.
     *
     * @throws ReservationExpiredException if the hold was lost before this call
     * @throws ReservationException if the store did not answer
     * @throws IllegalMonitorStateException if this thread does not hold the reservation
     */
    @Override
    void unlock() throws ReservationExpiredException;

    /** Throws {@link UnsupportedOperationException}: conditions are not supported across a cluster. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("Conditions are not supported for distributed reservations. "
                + "Consider using a distributed coordination service for complex synchronization.");
    }

    /**
     * Extends the lease to the manager's lease time from now.
     *
     * @return {@code false} if the hold was lost; a renewal never revives it
     * @throws ReservationException if the store did not answer; the old lease stays in force
     * @throws IllegalMonitorStateException if this thread does not hold the reservation
     * @throws UnsupportedOperationException if the manager uses a {@link com.github.reservation.oracle.LockingStrategy} that
     *     cannot renew
     */
    boolean renew();

    /**
     * Extends the lease like {@link #renew()}, to the given time from now. A lease that already runs longer does not change.
     *
     * @throws IllegalArgumentException if the lease is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    boolean renew(Duration lease);

    /** Returns whether this thread holds the reservation and may still trust its lease. Local and cheap: call it often. */
    boolean isHeldByCurrentThread();

    /** Returns the number of holds of this thread; 0 if it has none, or has lost them and still owes their unlocks. */
    int getHoldCount();

    /**
     * Returns the fencing token of this thread's hold: a number that grows with each acquisition of the key. Send it with each
     * write, and let the target reject a token smaller than the last one it accepted. Empty if this thread does not hold the
     * reservation, or if the backend has no tokens.
     */
    OptionalLong fencingToken();
}
