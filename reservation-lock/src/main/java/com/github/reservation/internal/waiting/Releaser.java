// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Trust;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.waiting.Handoff.Delivery;
import com.github.reservation.internal.waiting.Release.Answered;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Releases a grant: to the next waiting thread of the same manager if there is one and the store can do both in one step, else to
 * the store. Whatever the store answers, the grant has ended and the next local waiter goes on.
 */
public final class Releaser {

    /** How long the threads of one manager may hand a key to one another while other nodes wait for it. */
    static final long LONGEST_STAY = Duration.ofMillis(10).toNanos();

    /** What became of a handoff. */
    private enum Passed {
        YES,
        /** The store was not asked, or could not do it. */
        NO,
        /** The lease does not exist, or others wait. */
        REFUSED,
        /** Unknown: the lease is still to be released, and the next thread looks whether it has the key. */
        PERHAPS
    }

    private final RetryingStore store;
    private final Ticker ticker;
    private final Grants grants;
    private final LocalQueue queue;
    private final PollIntervals polls;

    public Releaser(RetryingStore store, Grants grants, LocalQueue queue, PollIntervals polls) {
        this.store = store;
        this.ticker = store.ticker();
        this.grants = grants;
        this.queue = queue;
        this.polls = polls;
    }

    /**
     * Ends the grant, runs {@code ended}, and releases the lease. A loss that is found on the way is reported.
     *
     * @param ended forgets the caller's own side of the grant
     */
    public Release release(Grant grant, Runnable ended) {
        grants.checkTrust(grant); // A loss that nothing has noticed so far.
        Trust trust = grant.trust();
        boolean trusted = isTrusted(trust);
        boolean wasHeld = grants.end(grant, ticker.nanos());
        ended.run();
        Release release = null;
        try {
            release = giveBack(grant, trusted);
            if (release == Answered.LOST && wasHeld) {
                grants.reportGone(grant, isTrusted(trust)); // A slow release can come after the end.
            }
            return release;
        } finally {
            if (release == Answered.QUEUED_BEHIND_OTHERS) {
                queue.lookAfterRelease(grant.key(), grant.nodeHasItSince(), ticker.nanos() + pauseBehindOthers());
            } else if (release != Answered.HANDED_OVER) {
                queue.wakeAfterRelease(grant.key(), grant.nodeHasItSince());
            }
            grants.released(grant, wasHeld && release != Answered.LOST);
        }
    }

    private boolean isTrusted(@Nullable Trust trust) {
        return trust != null && trust.left(Reading.of(ticker)) > 0;
    }

    /** Releases a lease that is not trusted any more, in case the store still has it: the caller is about to ask for a new one. */
    public void giveUp(Grant grant) {
        if (grant.isSurelyLost() || grant.endsAt() - ticker.nanos() <= 0) {
            return;
        }
        try {
            store.release(grant.lease(), false);
        } catch (StoreException e) {
            store.releaseLater(grant.lease(), grant.endsAt());
        }
    }

    private Release giveBack(Grant grant, boolean trusted) {
        if (grant.isSurelyLost()) {
            return Answered.LOST;
        }
        boolean answered = false;
        try {
            boolean threadsWait = queue.hasWaiters(grant.key());
            Passed passed = threadsWait && trusted ? pass(grant) : Passed.NO;
            if (passed == Passed.YES) {
                answered = true;
                return Answered.HANDED_OVER;
            }
            boolean hadPlace = threadsWait && queue.stayInLine(grant.key());
            boolean released = threadsWait ? releaseAndQueue(grant, trusted) : store.release(grant.lease(), trusted);
            answered = true;
            if (released && passed == Passed.REFUSED && !hadPlace) { // With a place, this node may be the first.
                return Answered.QUEUED_BEHIND_OTHERS;
            }
            return released || passed == Passed.PERHAPS ? Answered.RETURNED : Answered.LOST;
        } catch (StoreException e) {
            return new Release.Unanswered(e);
        } finally {
            if (!answered) {
                store.releaseLater(grant.lease(), grant.endsAt());
            } else if (grant.isAcquiredInDoubt()) {
                store.releaseInDoubt(grant.lease(), grant.endsAt());
            }
        }
    }

    /** Returns how long to pause while the next node may keep the key. */
    private long pauseBehindOthers() {
        return Backoff.shortened(store.canSignal() ? polls.whenNotified() : polls.clamp(LONGEST_STAY));
    }

    /** Releases the lease to the store; this node stays in line, because other threads of it wait. */
    private boolean releaseAndQueue(Grant grant, boolean trusted) throws StoreException {
        String node = queue.node().name();
        boolean released = store.releaseAndQueue(grant.lease(), trusted, node, mayStay(grant));
        if (!queue.hasWaiters(grant.key())) {
            store.withdraw(grant.key(), node);
        }
        return released;
    }

    /**
     * Returns whether the key may go on from thread to thread here although other nodes wait. Not if the thread has not waited:
     * a few threads that try again and again would keep the key here for ever.
     */
    private boolean mayStay(Grant grant) {
        Long since = grant.nodeHasItSince();
        return since != null && ticker.nanos() - since < LONGEST_STAY;
    }

    /**
     * Hands the key to the next thread of this manager, in one step of the store: a release and an acquisition would be two, and
     * another node could get the key in between.
     *
     * @throws StoreException if the store cannot be reached: a release would not reach it either
     */
    private Passed pass(Grant grant) throws StoreException {
        if (!(store.store() instanceof QueueingStore queueing && queueing.hasQueue())) {
            return Passed.NO;
        }
        boolean mayStay = mayStay(grant);
        AtomicReference<Reading> sent = new AtomicReference<>(Reading.of(ticker));
        Waiter next = queue.head(grant.key());
        Handoff handoff = next == null ? null : next.handoff();
        AcquireRequest request = handoff == null ? null : handoff.claim();
        if (next == null || handoff == null || request == null) {
            return Passed.NO;
        }
        boolean delivered = false;
        try {
            Optional<Granted> granted = store.retries().answer(() -> {
                sent.set(Reading.of(ticker));
                return queueing.pass(grant.lease(), request, mayStay);
            });
            if (granted.isPresent()) {
                deliver(handoff, new Delivery.Key(granted.get(), sent.get(), grant.nodeHasItSince()), request);
            } else {
                handoff.deliverNothing();
            }
            delivered = true;
            return granted.isPresent() ? Passed.YES : Passed.REFUSED;
        } catch (StoreException e) {
            if (e.kind() == Kind.OUTCOME_UNKNOWN) {
                return Passed.PERHAPS;
            }
            handoff.deliverNothing();
            delivered = true;
            if (e.kind() == Kind.CONTENTION) {
                return Passed.NO;
            }
            throw e;
        } finally {
            if (!delivered) {
                deliver(handoff, new Delivery.Doubt(sent.get()), request);
            }
            next.unpark();
        }
    }

    /** Delivers, or releases in place of a waiter that has left. */
    private void deliver(Handoff handoff, Delivery delivery, AcquireRequest request) {
        if (!handoff.deliver(delivery)) {
            long end = ticker.nanos() + LeaseTimes.nanos(request.leaseTime());
            switch (delivery) {
                case Delivery.Key key -> store.releaseLater(request.lease(), end);
                case Delivery.Doubt doubt -> store.releaseInDoubt(request.lease(), end);
            }
        }
    }
}
