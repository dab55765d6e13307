// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.loss.Grants;
import com.github.reservation.internal.retry.RetryingStore;
import com.github.reservation.internal.store.StoreException;
import java.util.function.BooleanSupplier;

/** Acquires a lease: asks the store once, past the queue, or waits in a {@link WaitLoop}. */
public final class Acquirer {

    private final RetryingStore store;
    private final Grants grants;
    private final LocalQueue queue;
    private final PollIntervals polls;
    private final BooleanSupplier closed;

    public Acquirer(
            RetryingStore store, Grants grants, LocalQueue queue, PollIntervals polls, BooleanSupplier closed) {
        this.store = store;
        this.grants = grants;
        this.queue = queue;
        this.polls = polls;
        this.closed = closed;
    }

    public Outcome acquire(Wanted wanted) throws InterruptedException {
        grants.prepare();
        try (Attempt attempt = new Attempt(store, grants, queue.node(), wanted, polls.longest())) {
            Outcome outcome = wanted.patience().waits()
                    ? new WaitLoop(store, queue, wanted, attempt, polls, closed).run()
                    : attempt.askOnce();
            if (outcome instanceof Outcome.TimedOut) {
                grants.refused(wanted.identifier(), wanted.patience().start());
            }
            return outcome;
        } catch (StoreException e) {
            return new Outcome.Failed(e);
        }
    }
}
