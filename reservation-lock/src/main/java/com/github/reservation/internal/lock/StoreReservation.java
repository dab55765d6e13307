// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.lock.HoldLifecycle.Use;
import com.github.reservation.internal.lock.HoldTable.Hold;
import com.github.reservation.internal.waiting.LocalQueue;
import com.github.reservation.internal.waiting.Outcome;
import com.github.reservation.internal.waiting.Wanted;
import com.github.reservation.internal.waiting.Wanted.Patience;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The one {@link java.util.concurrent.locks.Lock} of this library, for every backend.
 *
 * <h2>Two sides of a lock</h2>
 *
 * The <em>lease</em> is in the store: key, holder, end. The store's clock decides when it is over, and it belongs to one
 * acquisition, whose holder name is unique. The <em>grant</em> is here: the lease that the store granted, and until when it may
 * be trusted. Any thread may end it. The <em>hold</em> is a thread's use of a grant: how many unlocks the thread owes. This class
 * keeps them in step; it has no state of its own.
 *
 * <h2>Trust ends before the lease does</h2>
 *
 * The deadline of a grant is counted from before the request was sent, less a margin. So on the holder's clock it is over
 * before the store can grant the key to another holder, however slow the reply was. Then the grant is lost, and the listeners
 * are called. Inside the margin the store still has the lease: an {@code unlock()} that comes then succeeds, because no other
 * holder was in between.
 *
 * <h2>Generations</h2>
 *
 * A thread that locks again renews its lease and counts. If the lease turns out to be lost, the thread acquires a new one. The
 * unlocks that it owes for the lost one are carried along as {@link Hold#lostCount} and come last, because the inner
 * {@code finally} blocks run first: the unlocks of the new lease succeed, and those of the lost one throw.
 *
 * <h2>What an unlock promises</h2>
 *
 * Whatever the store answers, and even if it does not, the local hold is over and the next local thread goes on. A release that
 * did not reach the store is retried in the background. A release that comes too late does not touch the next holder, because
 * it names its own acquisition.
 */
final class StoreReservation implements Reservation {

    private final NamedLocks locks;
    private final ManagerSettings settings;
    private final RetryingStore store;
    private final HoldLifecycle holds;
    private final LocalQueue queue;
    private final Ticker ticker;
    private final String identifier;
    private final String key;

    StoreReservation(NamedLocks locks, LocalQueue queue, String identifier) {
        this.locks = locks;
        this.settings = locks.settings();
        this.store = locks.store();
        this.holds = locks.holds();
        this.queue = queue;
        this.ticker = settings.ticker();
        this.identifier = identifier;
        this.key = settings.keyOf("identifier", identifier);
    }

    @Override
    public String getIdentifier() {
        return identifier;
    }

    @Override
    public String getReservationKey() {
        return key;
    }

    @Override
    public void lock() {
        Wanted wanted = wanted(Patience.endless(ticker.nanos(), false), settings.leaseTime());
        isAcquired(holds.acquire(wanted, Use.LOCK), false);
    }

    @Override
    public void lock(Duration lease) {
        LeaseTimes.requireValid("lease", lease);
        Wanted wanted = wanted(Patience.endless(ticker.nanos(), false), lease);
        isAcquired(holds.acquire(wanted, Use.LOCK), false);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquireInterruptibly(Patience.endless(ticker.nanos(), true), settings.leaseTime(), false);
    }

    @Override
    public boolean tryLock() {
        Wanted wanted = wanted(Patience.none(ticker.nanos()), settings.leaseTime());
        return isAcquired(holds.acquire(wanted, Use.LOCK), true);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit must not be null");
        Duration wait = Duration.ofNanos(unit.toNanos(time));
        return acquireInterruptibly(Patience.of(ticker.nanos(), wait), settings.leaseTime(), true);
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        Objects.requireNonNull(wait, "wait must not be null");
        LeaseTimes.requireValid("lease", lease);
        return acquireInterruptibly(Patience.of(ticker.nanos(), wait), lease, false);
    }

    @Override
    public void unlock() {
        holds.unlock(requireHold());
    }

    @Override
    public boolean renew() {
        return renew(settings.leaseTime());
    }

    @Override
    public boolean renew(Duration lease) {
        LeaseTimes.requireValid("lease", lease);
        Hold hold = requireHold();
        return hold.count > 0 && locks.renew(hold.grant, lease);
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holds.findTrusted(key) != null;
    }

    @Override
    public int getHoldCount() {
        Hold hold = holds.findTrusted(key);
        return hold == null ? 0 : hold.count;
    }

    @Override
    public OptionalLong fencingToken() {
        Hold hold = holds.findTrusted(key);
        return hold == null ? OptionalLong.empty() : hold.grant.fence();
    }

    @Override
    public Duration getRemainingLeaseTime() {
        Hold hold = holds.find(key);
        long trusted = hold == null ? 0 : hold.grant.trustedFor(Reading.of(ticker));
        if (trusted > 0) {
            return Duration.ofNanos(trusted);
        }
        return asked(() -> store.find(key))
                .filter(lease -> hold == null || !lease.id().equals(hold.grant.lease()))
                .map(StoredLease::remaining)
                .orElse(Duration.ZERO);
    }

    @Override
    public boolean isLocked() {
        return asked(() -> store.find(key)).isPresent();
    }

    @Override
    public void forceUnlock() {
        try {
            asked(() -> {
                holds.force(key);
                return true;
            });
        } finally {
            queue.wake(key);
        }
    }

    @Override
    public String toString() {
        return "Reservation" + shown();
    }

    private Wanted wanted(Patience patience, Duration leaseTime) {
        return new Wanted(identifier, key, leaseTime, settings.maxHold(), patience);
    }

    private boolean acquireInterruptibly(Patience patience, Duration leaseTime, boolean failureIsNo)
            throws InterruptedException {
        Outcome outcome = holds.acquire(wanted(patience, leaseTime), Use.LOCK);
        if (outcome instanceof Outcome.Interrupted) {
            throw new InterruptedException();
        }
        return isAcquired(outcome, failureIsNo);
    }

    /** With {@code failureIsNo} a failure of the store is "not in time", as {@code Lock} wants it, unless waiting cannot help. */
    private boolean isAcquired(Outcome outcome, boolean failureIsNo) {
        return switch (outcome) {
            case Outcome.Acquired acquired -> true;
            case Outcome.TimedOut timedOut -> false;
            case Outcome.Interrupted interrupted ->
                throw new IllegalStateException("An uninterruptible call was interrupted");
            case Outcome.Failed failed -> {
                if (!failureIsNo || failed.failure().kind() == Kind.MISCONFIGURED) {
                    throw settings.failed(identifier, failed.failure());
                }
                yield false;
            }
        };
    }

    private Hold requireHold() {
        Hold hold = holds.find(key);
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "Thread " + Thread.currentThread().getName() + " does not hold reservation " + shown());
        }
        return hold;
    }

    private <T> T asked(Retries.Call<T> question) {
        try {
            return question.run();
        } catch (StoreException e) {
            throw new ReservationException("The store did not answer about reservation " + shown(), e);
        }
    }

    private String shown() {
        return settings.shown(identifier);
    }
}
