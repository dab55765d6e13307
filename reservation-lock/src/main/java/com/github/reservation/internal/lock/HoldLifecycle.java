// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationException;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.waiting.Acquirer;
import com.github.reservation.internal.waiting.Outcome;
import com.github.reservation.internal.waiting.Release;
import com.github.reservation.internal.waiting.Release.Answered;
import com.github.reservation.internal.waiting.Releaser;
import com.github.reservation.internal.waiting.Wanted;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
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
    private final Acquirer acquirer;
    private final Releaser releaser;
    private final RetryingStore store;
    private final BooleanSupplier closed;

    HoldLifecycle(
            ManagerSettings settings,
            HoldTable holds,
            Grants grants,
            Acquirer acquirer,
            Releaser releaser,
            RetryingStore store,
            BooleanSupplier closed) {
        this.settings = settings;
        this.holds = holds;
        this.grants = grants;
        this.acquirer = acquirer;
        this.releaser = releaser;
        this.store = store;
        this.closed = closed;
    }

    /** Throws if the manager is closed. */
    void requireOpen() {
        if (closed.getAsBoolean()) {
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

    /**
     * Re-enters the hold of the current thread if it has one, else acquires a lease; and measures it.
     *
     * @param maxHold how long a new lease is renewed automatically; null if it is not
     */
    Outcome acquire(Wanted wanted, @Nullable Duration maxHold, Use use) throws InterruptedException {
        requireOpen();
        String result = "error";
        try {
            if (wanted.patience().interruptible() && Thread.interrupted()) {
                throw new InterruptedException();
            }
            Hold hold = use == Use.HANDLE ? null : find(wanted.key());
            Outcome outcome = hold != null && hold.count > 0 && reenter(hold, wanted.leaseTime(), use)
                    ? new Outcome.Acquired(hold.grant, null)
                    : acquireAnew(wanted, maxHold, use, hold);
            result = outcome.result();
            return outcome;
        } catch (InterruptedException e) {
            result = "interrupted";
            throw e;
        } finally {
            settings.measure(wanted.patience().start(), result);
        }
    }

    private Outcome acquireAnew(Wanted wanted, @Nullable Duration maxHold, Use use, @Nullable Hold lost)
            throws InterruptedException {
        Outcome outcome = acquirer.acquire(wanted);
        if (outcome instanceof Outcome.Acquired acquired) {
            Thread owner = use == Use.HANDLE ? null : Thread.currentThread();
            if (owner != null) {
                Hold fresh = new Hold(owner, acquired.grant());
                fresh.lostCount = lost == null ? 0 : lost.count + lost.lostCount;
                holds.put(fresh);
            }
            if (maxHold != null && grants.canRenew()) {
                acquired.grant().keepAlive(wanted.leaseTime(), maxHold, owner);
            }
            grants.add(acquired.grant(), acquired.heardBefore());
        }
        return outcome;
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
