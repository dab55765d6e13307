// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import com.github.reservation.LossListener;
import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A lock that was acquired. Work gets one as its argument. {@link LockManager#acquire} and {@link LockManager#tryAcquire} return one that
 * no thread owns: pass it to another thread, to a {@code CompletableFuture}, to a reactive chain, and release it wherever the work ends.
 *
 * {@snippet file="com/github/reservation/demo/LeaseExamplesTest.java" region="handle"}
 *
 * <p>The library renews the lease automatically until the lock is released, is lost, or was held for {@link LockOptions#maxHold}.
 *
 * <p>A handle is thread-safe. {@link #isHeld()}, {@link #ensureHeld()}, {@link #remaining()}, {@link #fencingToken()} and
 * {@link #lease()} answer from memory, without a call to the store, and also when the store is down. {@link #renew()},
 * {@link #release()} and {@link #close()} call the store and block until it answers.
 *
 * <p><b>Expiry.</b> A handle counts its lease from before the request was sent, less a margin, like a
 * {@link com.github.reservation.Reservation}. When that time is over, or the library learns that another execution has the lock, the
 * lock is lost: {@link #isHeld()} returns false for ever, and the listeners are called once. A lost lock never comes back. Inside the
 * margin the store still has the lease, so {@link #release()} returns true and {@link #close()} does not throw: no other execution had
 * the lock.
 *
 * <p><b>Work.</b> The lock of work is released when the work ends. The work may release it before. Only its thread may do so; all other
 * methods are for any thread. Work that joined the lock of its thread ends only its own use of the lock: the lock stays held until the
 * outermost work, or the last {@code unlock()}, releases it.
 */
public interface HeldLock extends AutoCloseable {

    /** Returns the name of the lock. */
    String name();

    /** Returns the lease with its current end. Except in memory, another process can renew and release it with a {@link LockProvider}. */
    LockLease lease();

    /** Returns whether the lock is held and the lease may be trusted. */
    boolean isHeld();

    /**
     * Returns if the lock is held. Call it before each step that needs the lock.
     *
     * @throws ReservationExpiredException if the lock was lost
     * @throws IllegalStateException if the lock was released
     */
    void ensureHeld();

    /** Returns how long the lease may still be trusted unless it is renewed; zero if the lock is not held. */
    Duration remaining();

    /** Returns the fencing token of this acquisition; empty if the backend has no tokens. It stays the same after the lock is lost. */
    OptionalLong fencingToken();

    /**
     * Renews the lease for the time with which it was acquired.
     *
     * @return whether the lock is still held
     * @throws ReservationException if the store did not answer; the old lease goes on
     * @throws UnsupportedOperationException if the store cannot renew a lease
     */
    boolean renew();

    /**
     * Renews the lease for this time from now; it never gets shorter. {@link LockOptions#maxHold} does not limit it.
     *
     * @return whether the lock is still held
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     * @throws ReservationException if the store did not answer; the old lease goes on
     * @throws UnsupportedOperationException if the store cannot renew a lease
     */
    boolean renew(Duration leaseTime);

    /**
     * Registers a listener that is called once if this lock is lost, also if the lock is released before the loss is reported. If it was
     * lost before, the listener is called now. The rules of {@link LossListener} apply: the listeners of all locks of a manager share 16
     * threads, so a listener should not block for long.
     */
    Registration onLost(LossListener listener);

    /**
     * Releases the lock. Whatever the store answers, the handle is over. A release never frees the lock of another execution. A second
     * call does nothing and returns false.
     *
     * @return whether the lock was held until this call released it
     * @throws IllegalMonitorStateException if another thread than that of the work releases the lock of work
     * @throws ReservationException if the store did not answer; the library retries the release in the background until the lease ends
     */
    boolean release();

    /**
     * Releases the lock, for {@code try}-with-resources. Does nothing if the lock was released before.
     *
     * @throws IllegalMonitorStateException if another thread than that of the work releases the lock of work
     * @throws ReservationExpiredException if the store no longer had the lease: it had ended, or was taken away
     * @throws ReservationException if the store did not answer; the library retries the release in the background until the lease ends
     */
    @Override
    void close();
}
