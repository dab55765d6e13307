// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossReason;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.Acquirer.Outcome;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one {@link java.util.concurrent.locks.Lock} of this library, for every backend.
 *
 * <h2>Two sides of a lock</h2>
 *
 * The <em>lease</em> is in the store: key, holder, end. The store's clock decides when it is over, and it belongs to one
 * acquisition, whose holder name nobody else can have. The <em>hold</em> is here: which thread, how often, trusted until
 * when. This class keeps the two in step; it has no state of its own.
 *
 * <h2>Trust ends before the lease does</h2>
 *
 * The hold's deadline is counted from before the request was sent, less a margin. So on the holder's clock it is over
 * before the store can give the key to anybody else, however slow the reply was. Then the hold is lost and the
 * {@link LossWatch} tells the listeners. Inside the margin the store still has the lease: an {@code unlock()} that comes
 * then succeeds, because nobody was in between.
 *
 * <h2>Generations</h2>
 *
 * A thread that locks again renews its lease and counts. If the lease turns out to be lost, it acquires a new one; the
 * unlocks that it owes for the lost one are carried along as {@link Hold#lostCount} and come last, because the inner
 * {@code finally} blocks run first: the new generation's unlocks succeed and the lost ones' throw, each where it belongs.
 *
 * <h2>What an unlock promises</h2>
 *
 * Whatever the store says, or does not say, the local hold is over and the next local thread goes on. A release that did
 * not reach the store is repeated by the {@link Cleaner}. A release that came too late touches nobody else, because it
 * names its own acquisition.
 */
final class StoreReservation implements Reservation {

    private final StoreReservationManager manager;
    private final Core core;
    private final Holdings holdings;
    private final Ticker ticker;
    private final String identifier;
    private final String key;

    StoreReservation(StoreReservationManager manager, String identifier, String key) {
        this.manager = manager;
        this.core = manager.core();
        this.holdings = manager.holdings();
        this.ticker = core.ticker();
        this.identifier = identifier;
        this.key = key;
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
        acquireUninterruptibly(Patience.endless(ticker.nanos(), false), manager.getLeaseTime());
    }

    @Override
    public void lock(Duration lease) {
        LeaseTimes.requireValid("lease", lease);
        acquireUninterruptibly(Patience.endless(ticker.nanos(), false), lease);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquire(Patience.endless(ticker.nanos(), true), manager.getLeaseTime());
    }

    @Override
    public boolean tryLock() {
        return acquireUninterruptibly(Patience.none(ticker.nanos()), manager.getLeaseTime());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit must not be null");
        return acquire(Patience.of(ticker.nanos(), Duration.ofNanos(unit.toNanos(time))), manager.getLeaseTime());
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        Objects.requireNonNull(wait, "wait must not be null");
        LeaseTimes.requireValid("lease", lease);
        return acquire(Patience.of(ticker.nanos(), wait), lease);
    }

    @Override
    public void unlock() {
        holdings.unlock(requireHold());
    }

    @Override
    public boolean renew() {
        return renew(manager.getLeaseTime());
    }

    @Override
    public boolean renew(Duration lease) {
        LeaseTimes.requireValid("lease", lease);
        Hold hold = requireHold();
        if (!holdings.canRenew()) {
            throw new UnsupportedOperationException("The store cannot renew reservation " + shown());
        }
        try {
            return hold.count > 0 && holdings.renew(hold, lease);
        } catch (StoreException e) {
            throw new ReservationException("Could not renew reservation " + shown() + "; its old lease goes on", e);
        }
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return trustedHold() != null;
    }

    @Override
    public int getHoldCount() {
        Hold hold = trustedHold();
        return hold == null ? 0 : hold.count;
    }

    @Override
    public OptionalLong fencingToken() {
        Hold hold = trustedHold();
        return hold == null ? OptionalLong.empty() : hold.fence;
    }

    @Override
    public Duration getRemainingLeaseTime() {
        Hold hold = holdings.find(key);
        long trusted = hold == null ? 0 : hold.trustedFor(Reading.of(ticker));
        if (trusted > 0) {
            return Duration.ofNanos(trusted);
        }
        return asked(() -> core.calls().find(key))
                .filter(lease -> hold == null || !lease.id().equals(hold.lease))
                .map(StoredLease::remaining)
                .orElse(Duration.ZERO);
    }

    @Override
    public boolean isLocked() {
        return asked(() -> core.calls().find(key)).isPresent();
    }

    @Override
    public void forceUnlock() {
        // Only those that are there before: whoever acquires the key after it was forced holds it rightly.
        List<Hold> victims = core.holds().allOf(key);
        try {
            if (asked(() -> core.calls().forceRelease(key))) {
                victims.forEach(hold -> core.losses().lose(hold, LossReason.FORCED));
            }
        } finally {
            core.queue().wake(key);
        }
    }

    @Override
    public String toString() {
        return "Reservation" + shown();
    }

    private boolean acquireUninterruptibly(Patience patience, Duration leaseTime) {
        try {
            return acquire(patience, leaseTime);
        } catch (InterruptedException e) {
            throw new IllegalStateException("An uninterruptible call was interrupted", e);
        }
    }

    /** Acquires or re-enters, and measures it. */
    private boolean acquire(Patience patience, Duration leaseTime) throws InterruptedException {
        manager.requireOpen();
        String result = "error";
        try {
            Outcome outcome = enter(patience, leaseTime);
            result = switch (outcome) {
                case Outcome.Acquired acquired -> "acquired";
                case Outcome.TimedOut timedOut -> "timeout";
                case Outcome.Failed failed -> "error";
            };
            if (outcome instanceof Outcome.Failed failed) {
                throwIfDue(failed.failure(), patience);
            }
            return outcome instanceof Outcome.Acquired;
        } catch (InterruptedException e) {
            result = "interrupted";
            throw e;
        } finally {
            if (core.meters().wantTimes()) {
                Duration elapsed = Duration.ofNanos(ticker.nanos() - patience.start());
                core.meters().recordAcquisition(manager.getDomain(), elapsed, result);
            }
        }
    }

    private Outcome enter(Patience patience, Duration leaseTime) throws InterruptedException {
        if (patience.interruptible() && Thread.interrupted()) {
            throw new InterruptedException();
        }
        Hold hold = holdings.find(key);
        if (hold != null && hold.count > 0 && holdings.reenter(hold, leaseTime)) {
            return new Outcome.Acquired(hold);
        }
        core.watch().prepare();
        Outcome outcome = manager.acquirer().acquire(identifier, key, leaseTime, patience);
        if (outcome instanceof Outcome.Acquired acquired) {
            holdings.keep(acquired.hold(), hold);
        }
        return outcome;
    }

    /** A failure of the store is "not in time" for those who limit their wait, unless waiting cannot mend it. */
    private void throwIfDue(StoreException failure, Patience patience) {
        if (!patience.limited() || failure.kind() == Kind.MISCONFIGURED) {
            throw new ReservationAcquisitionException(
                    manager.getDomain(),
                    identifier,
                    core.settings().acquisitionFailed() + ' ' + shown() + ": " + failure.getMessage(),
                    failure);
        }
    }

    private Hold requireHold() {
        Hold hold = holdings.find(key);
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "Thread " + Thread.currentThread().getName() + " does not hold reservation " + shown());
        }
        return hold;
    }

    private @Nullable Hold trustedHold() {
        Hold hold = holdings.find(key);
        return hold != null && holdings.isTrusted(hold) ? hold : null;
    }

    private <T> T asked(StoreCalls.Call<T> question) {
        try {
            return question.run();
        } catch (StoreException e) {
            throw new ReservationException("The store did not answer about reservation " + shown(), e);
        }
    }

    private String shown() {
        return "[" + manager.getDomain() + ReservationKeyBuilder.DELIMITER + identifier + "]";
    }
}
