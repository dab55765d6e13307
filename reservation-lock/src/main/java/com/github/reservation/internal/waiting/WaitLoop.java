// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.waiting.Handoff.Delivery;
import com.github.reservation.internal.waiting.Wanted.Patience;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a key.
 *
 * <ol>
 *   <li>The thread joins the {@link LocalQueue}. Only the head asks the store: at once, then after the pauses of a
 *       {@link LookSchedule}, or after about a second if the store will notify it, but never later than the end of the
 *       current lease, and at once when it is woken.
 *   <li>Each round looks whether the wait is over: manager closed, thread interrupted, deadline reached. A request that
 *       was due before the deadline is still sent. At the deadline the head asks a last time, however long the next pause would
 *       be. A failure of the store pauses the wait as a refusal does, so that both end on time and neither spins.
 *   <li>An outage is counted for the key, not for the thread: the next head counts on from when the outage began, and a wait that
 *       ends during an outage has failed, also that of a thread that has never asked.
 *   <li>While a thread is parked, a thread of the same manager that unlocks may hand it the key, see {@link Handoff}.
 *   <li>A thread that leaves without the key lets the next one go on in its place; the last one gives up this node's place
 *       in the store.
 * </ol>
 */
public final class WaitLoop {

    /** Keeps the head from asking without a pause a store that says "zero". */
    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();

    private static final long LONGEST_HANDOFF = Duration.ofSeconds(2).toNanos();

    private final RetryingStore store;
    private final Ticker ticker;
    private final LocalQueue queue;
    private final Wanted wanted;
    private final Patience patience;
    private final Attempt attempt;
    private final BooleanSupplier closed;
    private final PollIntervals polls;

    /** Made when the store has not granted the key at once. */
    private @Nullable LookSchedule looks;

    /** Until when to wait for a delivery; null if none is expected. */
    private @Nullable Long deliveryUntil;

    private boolean waited;

    public WaitLoop(
            RetryingStore store,
            LocalQueue queue,
            Wanted wanted,
            Attempt attempt,
            PollIntervals polls,
            BooleanSupplier closed) {
        this.store = store;
        this.ticker = store.ticker();
        this.queue = queue;
        this.wanted = wanted;
        this.patience = wanted.patience();
        this.attempt = attempt;
        this.closed = closed;
        this.polls = polls;
    }

    public Outcome run() {
        Waiter waiter = queue.enter(wanted.key(), Thread.currentThread(), patience.start());
        boolean interrupted = false;
        Outcome outcome = null;
        try {
            long now = patience.start();
            while (true) {
                if (closed.getAsBoolean()) {
                    throw new IllegalStateException("The manager was closed while a thread waited for " + wanted.key());
                }
                if (Thread.interrupted()) {
                    if (patience.interruptible()) {
                        return new Outcome.Interrupted();
                    }
                    interrupted = true;
                }
                outcome = step(waiter, now);
                if (outcome != null) {
                    return outcome;
                }
                now = ticker.nanos();
            }
        } finally {
            leave(waiter, outcome);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes, asks or parks, whatever is due; returns null if the wait goes on. */
    private @Nullable Outcome step(Waiter waiter, long now) {
        Delivery delivery = waiter.handoff().take();
        if (delivery != null) {
            return accept(waiter, delivery);
        }
        boolean claimed = !waiter.handoff().retract();
        boolean isOver = patience.deadline() - now <= 0;
        if (!claimed
                && (waiter.shouldAsk(now, patience.deadline())
                        || (isOver && waiter.shouldAskOnceMore(patience.deadline())))) {
            return ask(waiter);
        }
        if (isOver) {
            StoreException failure = queue.failure(wanted.key());
            return failure == null ? new Outcome.TimedOut() : new Outcome.Failed(failure);
        }
        waited = true;
        if (claimed) {
            return awaitDelivery(waiter, now);
        }
        park(waiter);
        return null;
    }

    /** Waits for a delivery; not for ever, because the connection of the other thread may hang while the lease ends. */
    private @Nullable Outcome awaitDelivery(Waiter waiter, long now) {
        long until = deliveryUntil == null
                ? now + Math.min(LONGEST_HANDOFF, LeaseTimes.nanos(wanted.leaseTime()))
                : deliveryUntil;
        if (until - now > 0) {
            deliveryUntil = until;
            ticker.parkUntil(this, until - patience.deadline() < 0 ? until : patience.deadline());
            return null;
        }
        Delivery delivery = waiter.handoff().abandon();
        waiter.dropHandoff();
        if (delivery != null) {
            return accept(waiter, delivery);
        }
        attempt.abandonHandoff();
        waiter.wake();
        return null;
    }

    private void park(Waiter waiter) {
        deliveryUntil = null;
        AcquireRequest request = attempt.openRequest();
        if (request != null) {
            waiter.handoff().offer(request);
        }
        waiter.park(ticker, patience.deadline());
    }

    private @Nullable Outcome accept(Waiter waiter, Delivery delivery) {
        switch (delivery) {
            case Delivery.Key key -> {
                try {
                    waiter.keepSince(key.nodeHasItSince());
                    return attempt.acquired(attempt.accept(key.granted(), key.sent()), waiter);
                } catch (StoreException e) {
                    return failed(waiter, e);
                }
            }
            case Delivery.Doubt doubt -> {
                attempt.acceptDoubt(doubt.sent());
                waiter.wake();
                return null;
            }
        }
    }

    private @Nullable Outcome ask(Waiter waiter) {
        boolean polls = waiter.polls();
        long sent = ticker.nanos();
        try {
            switch (attempt.ask(polls)) {
                case Granted granted -> {
                    return attempt.acquired(granted, waiter);
                }
                case Refused refused -> {
                    refused(waiter, refused, polls, sent);
                    return null;
                }
            }
        } catch (StoreException e) {
            return failed(waiter, e);
        } catch (InterruptedException e) {
            waiter.stayInLine(); // The request that the interrupt broke may have put this node in line.
            return new Outcome.Interrupted();
        }
    }

    private void refused(Waiter waiter, Refused refused, boolean polled, long sent) {
        long now = ticker.nanos();
        waiter.refused(sent, now);
        waited = true;
        if (refused.queued()) {
            waiter.stayInLine();
        }
        // If notified, it polls only to make up for a lost notification.
        long patient = refused.queued() && store.canSignal()
                ? Backoff.shortened(polls.whenNotified())
                : looks().pauseAfter(refused, polled, sent, now);
        long pause = Math.min(patient, LeaseTimes.nanos(refused.remaining()));
        waiter.askAgainAt(now + Math.max(pause, SHORTEST_PAUSE));
    }

    private @Nullable Outcome failed(Waiter waiter, StoreException e) {
        long now = ticker.nanos();
        boolean lastsTooLong = waiter.storeFailed(e, now) >= LeaseTimes.nanos(wanted.leaseTime()) || !waited;
        if (e.kind() == Kind.MISCONFIGURED || (!patience.limited() && lastsTooLong)) {
            return new Outcome.Failed(e);
        }
        waiter.askAgainAt(now + looks().pauseAfterFailure());
        return null;
    }

    private LookSchedule looks() {
        LookSchedule schedule = looks == null ? new LookSchedule(polls, patience.start()) : looks;
        looks = schedule;
        return schedule;
    }

    private void leave(Waiter waiter, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Acquired acquired) {
            // This thread hands the key over when it unlocks; until then, or until its lease ends, there is little to ask for.
            Grant grant = acquired.grant();
            long untilAsked = Math.min(grant.trustedFor(Reading.of(ticker)), polls.longest().toNanos());
            queue.leaveWithKey(waiter, grant.acquiredAt() + untilAsked);
            return;
        }
        Delivery untaken = waiter.handoff().abandon();
        if (untaken != null) {
            attempt.acceptDoubt(untaken.sent());
        }
        if (queue.leaveWithoutKey(waiter) && waiter.isInLine()) {
            store.withdraw(wanted.key(), queue.node().name());
        }
    }
}
