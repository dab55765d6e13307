// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationException;
import com.github.reservation.ReservationListener.Acquiring;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.grant.Events;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.lock.HoldTable.Hold;
import com.github.reservation.internal.waiting.Attempt;
import com.github.reservation.internal.waiting.LocalQueue;
import com.github.reservation.internal.waiting.Outcome;
import com.github.reservation.internal.waiting.Release;
import com.github.reservation.internal.waiting.Release.Answered;
import com.github.reservation.internal.waiting.Releaser;
import com.github.reservation.internal.waiting.WaitLoop;
import com.github.reservation.internal.waiting.Wanted;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How a lock begins and ends: as a hold of a thread, which the thread re-enters, or as a handle that no thread owns. Both have a grant;
 * only the first has a {@link Hold}.
 */
final class HoldLifecycle {

    /** For what a lock is acquired. */
    enum Use {
        /** A call of a {@code lock} method. To lock again renews the lease. */
        LOCK,
        /** Work of a thread, which joins the hold of its thread as it is. */
        WORK,
        /** A handle, which belongs to no thread. */
        HANDLE
    }

    private final ManagerSettings settings;
    private final HoldTable holds;
    private final Grants grants;
    private final Events events;
    private final LocalQueue queue;
    private final Releaser releaser;
    private final RetryingStore store;
    private final AtomicBoolean closed = new AtomicBoolean();

    HoldLifecycle(
            ManagerSettings settings,
            HoldTable holds,
            Grants grants,
            Events events,
            LocalQueue queue,
            RetryingStore store) {
        this.settings = settings;
        this.holds = holds;
        this.grants = grants;
        this.events = events;
        this.queue = queue;
        this.releaser = new Releaser(store, grants, queue, settings.polls());
        this.store = store;
    }

    /** Refuses acquisitions from now on, also those that wait, once they are woken; false if it did so before. */
    boolean close() {
        return closed.compareAndSet(false, true);
    }

    /** Throws if the manager is closed. */
    void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("The manager of domain " + settings.domain() + " is closed");
        }
    }

    /** Returns what the current thread holds or has lost of the key; null if it owes no unlock. */
    @Nullable Hold find(String key) {
        return holds.find(Thread.currentThread(), key);
    }

    /** Returns the current thread's hold of the key if it may be trusted, else null. */
    @Nullable Hold findTrusted(String key) {
        Hold hold = find(key);
        return hold != null && grants.checkTrust(hold.grant) ? hold : null;
    }

    /** Re-enters the hold of the current thread if it has one, else acquires a lease; and measures it. */
    Outcome acquire(Wanted wanted, Use use) {
        requireOpen();
        String result = "error";
        try {
            Hold hold = use == Use.HANDLE ? null : find(wanted.key());
            Outcome outcome;
            if (wanted.patience().interruptible() && Thread.interrupted()) {
                outcome = new Outcome.Interrupted();
            } else if (hold != null && hold.count > 0 && reenter(hold, wanted.leaseTime(), use)) {
                outcome = new Outcome.Acquired(hold.grant, null);
            } else {
                outcome = acquireAnew(wanted);
                if (outcome instanceof Outcome.Acquired acquired) {
                    begin(acquired, wanted, use, hold);
                }
            }
            result = outcome.result();
            return outcome;
        } finally {
            settings.measure(wanted.patience().start(), result);
        }
    }

    /** Acquires a lease: waits in the queue, or asks the store once, past the queue. */
    private Outcome acquireAnew(Wanted wanted) {
        Acquiring acquiring = events.acquiring();
        String result = "error";
        Throwable failure = null;
        try (Attempt attempt = new Attempt(store, grants, queue.node(), wanted)) {
            Outcome outcome;
            try {
                grants.acquisitionBegins();
                outcome = wanted.patience().waits()
                        ? new WaitLoop(store, queue, wanted, attempt, settings.polls(), closed::get).run()
                        : attempt.askOnce();
            } finally {
                grants.acquisitionEnded();
            }
            result = outcome.result();
            if (outcome instanceof Outcome.TimedOut) {
                events.refused(wanted.identifier(), wanted.patience().start());
            } else if (outcome instanceof Outcome.Failed failed) {
                failure = failed.failure();
            }
            return outcome;
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            acquiring.end(result, failure);
        }
    }

    /** Watches what was acquired, as a hold unless it is a handle. The thread still owes the unlocks of a hold that it has lost. */
    private void begin(Outcome.Acquired acquired, Wanted wanted, Use use, @Nullable Hold lost) {
        Grant grant = acquired.grant();
        Thread owner = use == Use.HANDLE ? null : Thread.currentThread();
        if (owner != null) {
            Hold fresh = new Hold(owner, grant);
            fresh.lostCount = lost == null ? 0 : lost.count + lost.lostCount;
            holds.put(fresh);
        }
        if (wanted.maxHold() != null && grants.canRenew()) {
            grant.keepAlive(wanted.leaseTime(), wanted.maxHold(), owner);
        }
        grants.add(grant, acquired.heardBefore());
    }

    /** Counts once more if the lease is renewed or may be trusted; false if it is lost and must be acquired anew. */
    private boolean reenter(Hold hold, Duration leaseTime, Use use) {
        boolean asItIs = use == Use.WORK && hold.grant.hasLongestHold();
        if (asItIs ? !grants.checkTrust(hold.grant) : !renewedOrTrusted(hold, leaseTime)) {
            releaser.giveUp(hold.grant);
            return false;
        }
        hold.count++;
        return true;
    }

    private boolean renewedOrTrusted(Hold hold, Duration leaseTime) {
        if (grants.canRenew()) {
            try {
                return grants.renew(hold.grant, leaseTime);
            } catch (StoreException e) {
                Log.debug("Could not renew " + hold.grant.key() + " on a re-lock; its old lease goes on if it can", e);
            }
        }
        return grants.checkTrust(hold.grant);
    }

    /** Undoes one lock of the current thread; throws if it was lost. */
    void unlock(Hold hold) {
        if (!end(hold)) {
            throw settings.expired(hold.grant.identifier());
        }
    }

    /**
     * Ends work of the current thread under the grant; false if the grant was lost, or was unlocked by the work. If the thread has lost
     * it and holds a newer one, that stays.
     */
    boolean leave(Grant grant) {
        Hold hold = find(grant.key());
        if (hold == null) {
            return false;
        }
        if (hold.grant == grant) {
            return hold.count > 0 && end(hold);
        }
        forgetLost(hold);
        return false;
    }

    /** Undoes one lock; false if it was lost. */
    private boolean end(Hold hold) {
        if (hold.count > 1) {
            hold.count--;
            return grants.checkTrust(hold.grant) || isInStore(hold.grant);
        }
        if (hold.count == 1) {
            return release(hold.grant, () -> forget(hold));
        }
        forgetLost(hold);
        return false;
    }

    private boolean isInStore(Grant grant) {
        try {
            return !grant.isSurelyLost() && store.isHeldBy(grant.lease());
        } catch (StoreException e) {
            throw new ReservationException("Could not find out whether " + grant.key() + " is still held", e);
        }
    }

    /** Releases the lease of the grant and runs {@code ended}, whatever the store answers; false if it was lost. */
    boolean release(Grant grant, Runnable ended) {
        return switch (releaser.release(grant, ended)) {
            case Answered.RETURNED, Answered.QUEUED_BEHIND_OTHERS, Answered.HANDED_OVER -> true;
            case Answered.LOST -> false;
            case Release.Unanswered unanswered -> throw new ReservationException(
                    "Could not release reservation " + settings.shown(grant.identifier())
                            + "; the release is retried in the background until the lease ends",
                    unanswered.failure());
        };
    }

    private void forget(Hold hold) {
        hold.count = 0;
        if (hold.lostCount == 0) {
            holds.remove(hold);
        }
    }

    private void forgetLost(Hold hold) {
        hold.lostCount = Math.max(0, hold.lostCount - 1);
        if (hold.count == 0 && hold.lostCount == 0) {
            holds.remove(hold);
        }
    }

    /** Releases the key, no matter who holds it. Afterwards no thread of this manager trusts what was released. */
    void force(String key) throws StoreException {
        try {
            grants.forced(key, store.forceRelease(key));
        } catch (StoreException e) {
            if (e.kind() == Kind.OUTCOME_UNKNOWN) {
                grants.forced(key, Optional.empty());
            }
            throw e;
        }
    }
}
