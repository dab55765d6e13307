// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.internal.base.Log;
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
import org.jspecify.annotations.Nullable;

/** What a thread does with its holds: acquire, re-enter, renew, unlock. */
final class HoldLifecycle {

    private final String domain;
    private final @Nullable Duration maxHold;
    private final HoldTable holds;
    private final Grants grants;
    private final Acquirer acquirer;
    private final Releaser releaser;
    private final RetryingStore store;

    HoldLifecycle(
            ManagerSettings settings,
            HoldTable holds,
            Grants grants,
            Acquirer acquirer,
            Releaser releaser,
            RetryingStore store) {
        this.domain = settings.domain();
        this.maxHold = settings.maxHold();
        this.holds = holds;
        this.grants = grants;
        this.acquirer = acquirer;
        this.releaser = releaser;
        this.store = store;
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

    /** Re-enters the hold of the current thread if it has one, else acquires a lease. */
    Outcome acquire(Wanted wanted) throws InterruptedException {
        if (wanted.patience().interruptible() && Thread.interrupted()) {
            throw new InterruptedException();
        }
        Hold hold = find(wanted.key());
        if (hold != null && hold.count > 0 && reenter(hold, wanted.leaseTime())) {
            return new Outcome.Acquired(hold.grant, null);
        }
        Outcome outcome = acquirer.acquire(wanted);
        if (outcome instanceof Outcome.Acquired acquired) {
            Hold fresh = new Hold(Thread.currentThread(), acquired.grant());
            fresh.lostCount = hold == null ? 0 : hold.count + hold.lostCount;
            holds.put(fresh);
            if (maxHold != null) {
                acquired.grant().keepAlive(wanted.leaseTime(), maxHold, Thread.currentThread());
            }
            grants.add(acquired.grant(), acquired.heardBefore());
        }
        return outcome;
    }

    /** Renews the lease if it can and counts once more; false if the lease is lost and must be acquired anew. */
    private boolean reenter(Hold hold, Duration leaseTime) {
        if (!renewedOrTrusted(hold, leaseTime)) {
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

    boolean canRenew() {
        return grants.canRenew();
    }

    /** Renews the lease; false if it is lost. */
    boolean renew(Hold hold, Duration leaseTime) throws StoreException {
        return hold.count > 0 && grants.renew(hold.grant, leaseTime);
    }

    /** Undoes one lock; throws if it was lost. */
    void unlock(Hold hold) {
        if (hold.count > 1) {
            unlockInner(hold);
        } else if (hold.count == 1) {
            unlockLast(hold);
        } else {
            unlockLost(hold);
        }
    }

    private void unlockInner(Hold hold) {
        hold.count--;
        if (grants.checkTrust(hold.grant)) {
            return;
        }
        try {
            if (hold.grant.isSurelyLost() || !store.isHeldBy(hold.grant.lease())) {
                throw expired(hold);
            }
        } catch (StoreException e) {
            throw new ReservationException("Could not find out whether " + hold.grant.key() + " is still held", e);
        }
    }

    private void unlockLast(Hold hold) {
        switch (releaser.release(hold.grant, () -> forget(hold))) {
            case Answered.RETURNED, Answered.QUEUED_BEHIND_OTHERS, Answered.HANDED_OVER -> {
            }
            case Answered.LOST -> throw expired(hold);
            case Release.Unanswered unanswered -> throw new ReservationException(
                    "Could not release reservation " + hold.grant.key()
                            + "; the release is retried in the background until the lease ends",
                    unanswered.failure());
        }
    }

    private void forget(Hold hold) {
        hold.count = 0;
        if (hold.lostCount == 0) {
            holds.remove(hold);
        }
    }

    private void unlockLost(Hold hold) {
        hold.lostCount--;
        if (hold.lostCount == 0) {
            holds.remove(hold);
        }
        throw expired(hold);
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

    private ReservationExpiredException expired(Hold hold) {
        return new ReservationExpiredException(domain, hold.grant.identifier());
    }
}
