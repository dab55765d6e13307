// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.AcquisitionObserver;
import com.github.reservation.internal.loss.Grants;
import com.github.reservation.internal.retry.RetryingStore;
import com.github.reservation.internal.store.StoreException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Acquires a lease: asks the store once, past the queue, or waits in a {@link WaitLoop}. */
public final class Acquirer {

    private final String domain;
    private final @Nullable AcquisitionObserver observer;
    private final RetryingStore store;
    private final Grants grants;
    private final LocalQueue queue;
    private final PollIntervals polls;
    private final BooleanSupplier closed;

    /** Creates an acquirer for one manager. The observer must not throw. */
    public Acquirer(
            String domain,
            @Nullable AcquisitionObserver observer,
            RetryingStore store,
            Grants grants,
            LocalQueue queue,
            PollIntervals polls,
            BooleanSupplier closed) {
        this.domain = domain;
        this.observer = observer;
        this.store = store;
        this.grants = grants;
        this.queue = queue;
        this.polls = polls;
        this.closed = closed;
    }

    public Outcome acquire(Wanted wanted) throws InterruptedException {
        return observer == null ? ask(wanted) : askObserved(wanted, observer.begin(domain));
    }

    private Outcome askObserved(Wanted wanted, AcquisitionObserver.Observed observed) throws InterruptedException {
        String result = "error";
        Throwable failure = null;
        try {
            Outcome outcome = ask(wanted);
            result = outcome.result();
            failure = outcome instanceof Outcome.Failed failed ? failed.failure() : null;
            return outcome;
        } catch (InterruptedException e) {
            result = "interrupted";
            throw e;
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            observed.end(result, failure);
        }
    }

    private Outcome ask(Wanted wanted) throws InterruptedException {
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
