// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.Acquirer.Outcome;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.Acquisition.Refused;
import com.github.reservation.internal.store.SignallingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.WaitingStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a key.
 *
 * <ol>
 *   <li>The thread joins the {@link LocalQueue}. Only the head asks the store: at once, then after pauses that double, or
 *       that are long from the start if the store will call it, but never later than the lease in its way ends, and at once
 *       when it is woken.
 *   <li>Each round looks whether the wait is over: manager closed, thread interrupted, deadline reached. A question that
 *       was due before the deadline is still asked. A failure of the store pauses the wait as a refusal does, so that
 *       both end on time and neither spins.
 *   <li>An outage is the key's, not the thread's: whoever becomes the head counts on from when it began.
 *   <li>While a thread is parked, one of the same manager that unlocks may pass it the key, see {@link Baton}.
 *   <li>Whoever leaves without the key lets the next one go on in its place; the last one gives up this node's place in
 *       the store.
 * </ol>
 */
final class WaitLoop {

    /** Keeps a store that says "zero" from being asked without a pause. */
    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();

    private static final long LONGEST_PASS = Duration.ofSeconds(2).toNanos();

    private final Core core;
    private final Ticker ticker;
    private final String key;
    private final Duration leaseTime;
    private final Patience patience;
    private final Attempt attempt;
    private final BooleanSupplier closed;
    private final Backoff pauses;

    /** Until when to wait for another thread that passes the key on; null if none does. */
    private @Nullable Long comingUntil;

    private boolean waited;
    private @Nullable StoreException failure;

    WaitLoop(Core core, String key, Duration leaseTime, Patience patience, Attempt attempt, BooleanSupplier closed) {
        this.core = core;
        this.ticker = core.ticker();
        this.key = key;
        this.leaseTime = leaseTime;
        this.patience = patience;
        this.attempt = attempt;
        this.closed = closed;
        this.pauses = new Backoff(core.settings().firstPoll(), core.settings().longestPoll());
    }

    Outcome run() throws InterruptedException {
        Waiter waiter = core.queue().enter(key, Thread.currentThread(), patience.start());
        boolean interrupted = false;
        Outcome outcome = null;
        try {
            long now = patience.start();
            while (true) {
                if (closed.getAsBoolean()) {
                    throw new IllegalStateException("The manager was closed while a thread waited for " + key);
                }
                if (Thread.interrupted()) {
                    if (patience.interruptible()) {
                        throw new InterruptedException();
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
    private @Nullable Outcome step(Waiter waiter, long now) throws InterruptedException {
        Baton.Passed passed = waiter.baton().take();
        if (passed != null) {
            return taken(waiter, passed);
        }
        boolean coming = !waiter.baton().close();
        if (!coming && waiter.shouldAsk(now, patience.deadline())) {
            return ask(waiter);
        }
        if (patience.deadline() - now <= 0) {
            return failure == null ? new Outcome.TimedOut() : new Outcome.Failed(failure);
        }
        waited = true;
        if (coming) {
            return awaitBaton(waiter, now);
        }
        park(waiter);
        return null;
    }

    /** Waits for what another thread brings; not for ever, because its connection may hang while the lease ends. */
    private @Nullable Outcome awaitBaton(Waiter waiter, long now) {
        long until = comingUntil == null ? now + Math.min(LONGEST_PASS, LeaseTimes.nanos(leaseTime)) : comingUntil;
        if (until - now > 0) {
            comingUntil = until;
            ticker.parkUntil(this, until - patience.deadline() < 0 ? until : patience.deadline());
            return null;
        }
        Baton.Passed passed = waiter.baton().leave();
        waiter.dropBaton();
        if (passed != null) {
            return taken(waiter, passed);
        }
        attempt.abandonPass();
        waiter.wake();
        return null;
    }

    private void park(Waiter waiter) {
        comingUntil = null;
        AcquireRequest request = attempt.openRequest();
        if (request != null) {
            waiter.baton().open(request);
        }
        waiter.park(ticker, patience.deadline());
    }

    private @Nullable Outcome taken(Waiter waiter, Baton.Passed passed) {
        switch (passed) {
            case Baton.Passed.Key key -> {
                try {
                    return acquired(waiter, attempt.passed(key.granted(), key.sent()));
                } catch (StoreException e) {
                    return failed(waiter, e);
                }
            }
            case Baton.Passed.Doubt doubt -> {
                attempt.passedInDoubt(doubt.sent());
                waiter.wake();
                return null;
            }
        }
    }

    private Outcome acquired(Waiter waiter, Granted granted) {
        Hold hold = attempt.hold(granted);
        hold.nodeHasItSince = waiter.nodeHasItSince(hold.acquiredAt);
        return new Outcome.Acquired(hold);
    }

    private @Nullable Outcome ask(Waiter waiter) throws InterruptedException {
        try {
            switch (attempt.ask(waiter.polls())) {
                case Granted granted -> {
                    return acquired(waiter, granted);
                }
                case Refused refused -> {
                    refused(waiter, refused);
                    return null;
                }
            }
        } catch (StoreException e) {
            return failed(waiter, e);
        }
    }

    private void refused(Waiter waiter, Refused refused) {
        failure = null;
        waiter.refused();
        waited = true;
        if (refused.marked()) {
            waiter.mark();
        }
        if (core.store() instanceof WaitingStore) {
            waiter.askAgainAt(ticker.nanos()); // It has waited for us; ask again at once.
            return;
        }
        long patient = isCalled(refused) ? pauses.longest() : pauses.next();
        long pause = Math.min(patient, LeaseTimes.nanos(refused.remaining()));
        waiter.askAgainAt(ticker.nanos() + Math.max(pause, SHORTEST_PAUSE));
    }

    /** Returns whether the store will call us: then we look only for a call that got lost. */
    private boolean isCalled(Refused refused) {
        return refused.marked() && core.store() instanceof SignallingStore signalling && signalling.canSignal();
    }

    private @Nullable Outcome failed(Waiter waiter, StoreException e) {
        long now = ticker.nanos();
        failure = e;
        boolean lastsTooLong = !waited || waiter.storeFailsFor(now) >= LeaseTimes.nanos(leaseTime);
        if (e.kind() == Kind.MISCONFIGURED || (!patience.limited() && lastsTooLong)) {
            return new Outcome.Failed(e);
        }
        waiter.askAgainAt(now + pauses.next());
        return null;
    }

    private void leave(Waiter waiter, @Nullable Outcome outcome) {
        Baton.Passed untaken = outcome instanceof Outcome.Acquired ? null : waiter.baton().leave();
        if (untaken != null) {
            attempt.passedInDoubt(untaken.sent());
        }
        if (outcome instanceof Outcome.Acquired acquired) {
            // We hand the key over when we unlock; until then, or until our lease ends, there is little to ask for.
            long now = acquired.hold().acquiredAt;
            long handOver =
                    Math.min(acquired.hold().trustedFor(Reading.of(ticker)), core.settings().longestPoll().toNanos());
            core.queue().leaveWithKey(waiter, now + handOver);
        } else if (core.queue().leaveWithoutKey(waiter) && waiter.isMarked()) {
            core.calls().withdraw(key, core.node().name());
        }
    }
}
