// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.Ticker;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.QueueingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks the store until there is an answer, or none to be had.
 *
 * <ol>
 *   <li>The interrupt flag is down during a call and as it was afterwards: an interrupt would break the connection of a
 *       virtual thread, or the file of an embedded database. One that comes in the middle of a call and makes it fail
 *       is no failure of the store; what the call did is then unknown.
 *   <li>{@code CONTENTION} is tried again up to five times, within two seconds and before the caller's deadline.
 *   <li>{@code OUTCOME_UNKNOWN} is resolved within the same limits: what can be done twice without harm is done again; a
 *       release is followed by a look; an acquire is the {@link Attempt}'s to resolve. A call that an interrupt broke does
 *       not count: whoever interrupts us does not make the store a failing one.
 * </ol>
 */
final class StoreCalls {

    private static final int MAX_RETRIES = 5;
    private static final long MAX_RETRY_TIME = Duration.ofSeconds(2).toNanos();
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    /** One call to the store. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws StoreException;
    }

    private final LeaseStore store;
    private final Ticker ticker;
    private final StoreHealth health;

    StoreCalls(LeaseStore store, Ticker ticker, StoreHealth health) {
        this.store = store;
        this.ticker = ticker;
        this.health = health;
    }

    Optional<StoredLease> find(String key) throws StoreException {
        return repeated(() -> store.find(key));
    }

    boolean forceRelease(String key) throws StoreException {
        return repeated(() -> store.forceRelease(key));
    }

    List<StoredLease> list(String keyPrefix) throws StoreException {
        return repeated(() -> store.list(keyPrefix));
    }

    /**
     * Renews the lease.
     *
     * @return when the successful request was sent, or empty if the lease is lost
     */
    Optional<Reading> renew(LeaseId lease, Duration leaseTime) throws StoreException {
        return repeated(() -> {
            Reading sent = Reading.of(ticker);
            return store.renew(List.of(lease), leaseTime).contains(lease) ? Optional.of(sent) : Optional.empty();
        });
    }

    /**
     * Releases the lease.
     *
     * @param trusted whether the holder could still trust the lease when it decided to release it
     * @return whether the lease was the holder's until then
     */
    boolean release(LeaseId lease, boolean trusted) throws StoreException {
        return release(lease, trusted, () -> store.release(List.of(lease)).contains(lease));
    }

    /** Does the same for a node where others wait, so that it keeps its turn among the nodes. */
    boolean release(LeaseId lease, boolean trusted, String node, boolean mayStay) throws StoreException {
        return store instanceof QueueingStore queueing
                ? release(lease, trusted, () -> queueing.releaseAndQueue(lease, node, mayStay))
                : release(lease, trusted);
    }

    private boolean release(LeaseId lease, boolean trusted, Call<Boolean> call) throws StoreException {
        Repeats repeats = new Repeats();
        boolean inDoubt = false;
        while (true) {
            try {
                boolean released = repeats.answer(call);
                // A release in doubt can take effect after the look: then it was ours that ended the lease.
                return released || (inDoubt && trusted);
            } catch (StoreException e) {
                repeats.allowOrThrow(e);
                inDoubt = true;
                if (!isHeldBy(lease)) {
                    // Gone. If it was trusted, nobody could have had it before our release took effect.
                    return trusted;
                }
            }
        }
    }

    /** Gives up the node's place in line for the key, where the store keeps one. */
    void withdraw(String key, String node) {
        if (!(store instanceof QueueingStore queueing)) {
            return;
        }
        try {
            answer(() -> {
                queueing.withdraw(key, node);
                return true;
            });
        } catch (StoreException e) {
            Log.debug("Could not give up the place for " + key + "; others wait a moment longer", e);
        }
    }

    /** Asks the store whether this very lease still exists. */
    boolean isHeldBy(LeaseId lease) throws StoreException {
        return find(lease.key()).filter(found -> found.id().equals(lease)).isPresent();
    }

    /** Counts how often a call is repeated whose outcome is not known. */
    final class Repeats {

        private final long deadline;
        private long giveUp;
        private int count;

        /** Allows as many as the rules do. */
        Repeats() {
            this.giveUp = ticker.nanos() + MAX_RETRY_TIME;
            this.deadline = giveUp + LeaseTimes.FOREVER;
        }

        /** Allows as many as the rules do, until the deadline. */
        Repeats(long deadline) {
            this.giveUp = earlier(deadline, ticker.nanos() + MAX_RETRY_TIME);
            this.deadline = deadline;
        }

        /** Runs the call under rules 1 and 2, within the time that all repeats have together. */
        <T> T answer(Call<T> call) throws StoreException {
            return answerUntil(giveUp, call);
        }

        /** Returns if the call may be repeated; throws the failure if not. */
        void allowOrThrow(StoreException failure) throws StoreException {
            if (failure.kind() != Kind.OUTCOME_UNKNOWN) {
                throw failure;
            }
            if (failure.isInterrupt()) {
                giveUp = earlier(deadline, ticker.nanos() + MAX_RETRY_TIME);
            } else if (++count > MAX_RETRIES || ticker.nanos() - giveUp >= 0) {
                throw failure;
            }
        }
    }

    /** Runs a call that can be done twice without harm. */
    private <T> T repeated(Call<T> call) throws StoreException {
        Repeats repeats = new Repeats();
        while (true) {
            try {
                return repeats.answer(call);
            } catch (StoreException e) {
                repeats.allowOrThrow(e);
            }
        }
    }

    /** Runs the call under rules 1 and 2. */
    <T> T answer(Call<T> call) throws StoreException {
        return answerUntil(ticker.nanos() + MAX_RETRY_TIME, call);
    }

    /** Runs the call under rules 1 and 2. */
    <T> T answer(Call<T> call, long deadline) throws StoreException {
        return answerUntil(earlier(deadline, ticker.nanos() + MAX_RETRY_TIME), call);
    }

    private <T> T answerUntil(long giveUp, Call<T> call) throws StoreException {
        boolean interrupted = Thread.interrupted();
        try {
            Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
            for (int retries = 0;; retries++) {
                try {
                    T answer = run(call);
                    health.answered();
                    return answer;
                } catch (StoreException e) {
                    if (Thread.interrupted()) {
                        interrupted = true;
                        throw StoreException.interrupted(e);
                    }
                    boolean retry = e.kind() == Kind.CONTENTION && retries < MAX_RETRIES;
                    long again = ticker.nanos() + pauses.next();
                    if (!retry || again - giveUp >= 0) {
                        health.failed(e);
                        throw e;
                    }
                    interrupted |= pauseUntil(again);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A backend should not throw anything else; if it does, nobody knows what it has done. */
    private static <T> T run(Call<T> call) throws StoreException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "The store failed in an unexpected way: " + e, e);
        }
    }

    /** Returns whether the thread was interrupted meanwhile. */
    private boolean pauseUntil(long time) {
        boolean interrupted = false;
        while (time - ticker.nanos() > 0) {
            ticker.parkUntil(this, time);
            interrupted |= Thread.interrupted();
        }
        return interrupted;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
