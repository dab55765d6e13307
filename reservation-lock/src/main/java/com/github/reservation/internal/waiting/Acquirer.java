// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.ReservationListener.Acquiring;
import com.github.reservation.internal.grant.Events;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.RetryingStore;
import java.util.function.BooleanSupplier;

/** Acquires a lease: asks the store once, past the queue, or waits in a {@link WaitLoop}. */
public final class Acquirer {

    private final Events events;
    private final RetryingStore store;
    private final Grants grants;
    private final LocalQueue queue;
    private final PollIntervals polls;
    private final BooleanSupplier closed;

    public Acquirer(
            Events events,
            RetryingStore store,
            Grants grants,
            LocalQueue queue,
            PollIntervals polls,
            BooleanSupplier closed) {
        this.events = events;
        this.store = store;
        this.grants = grants;
        this.queue = queue;
        this.polls = polls;
        this.closed = closed;
    }

    public Outcome acquire(Wanted wanted) throws InterruptedException {
        Acquiring acquiring = events.acquiring();
        String result = "error";
        Throwable failure = null;
        try (Attempt attempt = new Attempt(store, grants, queue.node(), wanted)) {
            Outcome outcome;
            grants.acquisitionBegins();
            try {
                outcome = wanted.patience().waits()
                        ? new WaitLoop(store, queue, wanted, attempt, polls, closed).run()
                        : attempt.askOnce();
            } finally {
                grants.acquisitionEnded();
            }
            result = outcome.result();
            switch (outcome) {
                case Outcome.Acquired acquired -> {
                }
                case Outcome.TimedOut timedOut -> grants.refused(wanted.identifier(), wanted.patience().start());
                case Outcome.Failed failed -> failure = failed.failure();
            }
            return outcome;
        } catch (InterruptedException e) {
            result = "interrupted";
            throw e;
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            acquiring.end(result, failure);
        }
    }
}
