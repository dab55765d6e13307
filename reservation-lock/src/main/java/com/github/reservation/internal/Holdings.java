// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.LossReason;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.Ticker;
import com.github.reservation.internal.store.FixedLeaseStore;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a thread can do with what it holds: keep it, hold it once more, renew it, give it back. */
final class Holdings {

    /** How long the threads of one manager may hand a key to one another while other nodes wait for it. */
    private static final long LONGEST_STAY = Duration.ofMillis(10).toNanos();

    private final Core core;
    private final Ticker ticker;

    Holdings(Core core) {
        this.core = core;
        this.ticker = core.ticker();
    }

    @Nullable Hold find(String key) {
        return core.holds().find(Thread.currentThread(), key);
    }

    /** Keeps a lease that was just acquired; {@code lost} is what the thread had of this key before. */
    void keep(Hold fresh, @Nullable Hold lost) {
        fresh.lostCount = lost == null ? 0 : lost.count + lost.lostCount;
        core.holds().put(fresh);
        core.watch().watch(fresh);
        LossSignals.Signal signal = core.signals().last();
        if (signal != null && signal != fresh.toldBefore) {
            lookAgain(fresh, signal.reason);
        }
    }

    /** Finds out whether the signal was about this hold: it was not in the table yet when the signal came. */
    private void lookAgain(Hold fresh, LossReason reason) {
        boolean stillHeld = false;
        try {
            stillHeld = core.calls().isHeldBy(fresh.lease);
        } catch (StoreException e) {
            Log.debug("Could not find out whether " + fresh.lease.key() + " is still held", e);
            core.cleaner().release(fresh.lease, fresh.endsAt);
        }
        if (!stillHeld) {
            core.losses().lose(fresh, reason);
        }
    }

    /** Holds the lease once more and renews it if it can; false if it is lost and must be acquired anew. */
    boolean reenter(Hold hold, Duration leaseTime) {
        try {
            if (!(canRenew() ? renew(hold, leaseTime) : isTrusted(hold))) {
                giveUp(hold);
                return false;
            }
        } catch (StoreException e) {
            if (!isTrusted(hold)) {
                giveUp(hold);
                return false;
            }
            Log.debug("Could not renew " + hold.lease.key() + " on a re-lock; its old lease goes on", e);
        }
        hold.count++;
        return true;
    }

    boolean canRenew() {
        return !(core.store() instanceof FixedLeaseStore);
    }

    /** Renews the lease; false if it is lost. */
    boolean renew(Hold hold, Duration leaseTime) throws StoreException {
        if (!isTrusted(hold)) {
            return false;
        }
        try {
            Optional<Reading> sent = core.calls().renew(hold.lease, leaseTime);
            if (sent.isPresent()) {
                return hold.extend(sent.get(), leaseTime, ticker.nanos()) && isTrusted(hold);
            }
        } catch (StoreException e) {
            hold.renewalFailed(leaseTime, ticker.nanos());
            throw e;
        }
        core.losses().lose(hold, reasonOfLoss(hold, hold.trustedFor(Reading.of(ticker)) > 0));
        return false;
    }

    /** Gives back one of the holds; throws if it was lost. */
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
        if (isTrusted(hold)) {
            return;
        }
        try {
            if (hold.isSurelyLost() || !core.calls().isHeldBy(hold.lease)) {
                throw expired(hold);
            }
        } catch (StoreException e) {
            throw new ReservationException("Could not find out whether " + hold.lease.key() + " is still held", e);
        }
    }

    private void unlockLast(Hold hold) {
        Reading now = Reading.of(ticker);
        boolean trusted = hold.trustedFor(now) > 0;
        boolean wasHeld = hold.end(now.nanos());
        hold.count = 0;
        if (hold.lostCount == 0) {
            core.holds().remove(hold);
        }
        Given given = Given.NOT_YET;
        LossReason reason = hold.reasonOfExpiry();
        try {
            given = giveAway(hold, trusted);
            if (given == Given.LOST && wasHeld) {
                reason = reasonOfLoss(hold, trusted);
            }
        } finally {
            if (given != Given.ON) {
                core.queue().handOver(hold.lease.key(), hold.nodeHasItSince);
            }
            core.watch().ended();
            if (wasHeld && given != Given.LOST) {
                core.losses().recordHeld(hold);
            }
        }
        if (given == Given.LOST) {
            if (wasHeld) {
                core.losses().tell(hold, reason);
            }
            throw expired(hold);
        }
    }

    /** What became of a lease whose thread wants it no longer. */
    private enum Given {
        /** It was given back to the store. */
        BACK,
        /** It was passed on to another thread of this manager. */
        ON,
        /** The store does not answer; it is given back in the background. */
        NOT_YET,
        /** It had been lost before. */
        LOST
    }

    private Given giveAway(Hold hold, boolean trusted) {
        if (hold.isSurelyLost()) {
            return Given.LOST;
        }
        boolean othersWait = core.queue().hasWaiters(hold.lease.key());
        boolean answered = false;
        try {
            Relay.Result relayed = othersWait && trusted
                    ? new Relay(core).pass(hold, mayStay(hold))
                    : Relay.Result.NOT_PASSED;
            boolean passed = relayed == Relay.Result.PASSED;
            boolean released = !passed && release(hold, trusted, othersWait);
            answered = true;
            return passed ? Given.ON : released || relayed == Relay.Result.IN_DOUBT ? Given.BACK : Given.LOST;
        } catch (StoreException e) {
            throw new ReservationException(
                    "Could not release reservation " + hold.lease.key()
                            + "; it is tried again in the background until the lease ends",
                    e);
        } finally {
            if (!answered) {
                core.cleaner().release(hold.lease, hold.endsAt);
            } else if (hold.acquiredInDoubt) {
                core.cleaner().releaseInDoubt(hold.lease, hold.endsAt);
            }
        }
    }

    /** Gives the lease back to the store; if others wait here, this node stays in line. */
    private boolean release(Hold hold, boolean trusted, boolean othersWait) throws StoreException {
        if (!othersWait) {
            return core.calls().release(hold.lease, trusted);
        }
        String key = hold.lease.key();
        boolean released = core.calls().release(hold.lease, trusted, core.node().name(), mayStay(hold));
        if (!core.queue().hasWaiters(key)) {
            core.calls().withdraw(key, core.node().name());
        }
        return released;
    }

    /**
     * Returns whether the key may go on from thread to thread here although other nodes wait. Not if the thread has not waited:
     * a few that try again and again would keep the key here for ever.
     */
    private boolean mayStay(Hold hold) {
        Long since = hold.nodeHasItSince;
        return since != null && ticker.nanos() - since < LONGEST_STAY;
    }

    private void unlockLost(Hold hold) {
        hold.lostCount--;
        if (hold.lostCount == 0) {
            core.holds().remove(hold);
        }
        throw expired(hold);
    }

    /** Ends a lease that is not trusted any more, in case the store still has it: we are about to ask for a new one. */
    private void giveUp(Hold hold) {
        if (hold.isSurelyLost() || hold.endsAt - ticker.nanos() <= 0) {
            return;
        }
        try {
            core.calls().release(hold.lease, false);
        } catch (StoreException e) {
            core.cleaner().release(hold.lease, hold.endsAt);
        }
    }

    /** Returns whether the hold may be trusted; if its time is over, it is lost from now on. */
    boolean isTrusted(Hold hold) {
        core.losses().loseIfOverdue(hold);
        return hold.isHeld();
    }

    /** Finds out why the store does not know the lease any more. */
    private LossReason reasonOfLoss(Hold hold, boolean trusted) {
        try {
            if (core.calls().find(hold.lease.key()).isPresent()) {
                return LossReason.TAKEN_OVER;
            }
        } catch (StoreException e) {
            Log.debug("Could not look who holds " + hold.lease.key() + " now", e);
        }
        return trusted ? LossReason.FORCED : hold.reasonOfExpiry();
    }

    private ReservationExpiredException expired(Hold hold) {
        return new ReservationExpiredException(core.settings().domain(), hold.identifier);
    }
}
