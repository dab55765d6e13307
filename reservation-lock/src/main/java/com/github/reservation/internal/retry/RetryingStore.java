// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.retry;

import com.github.reservation.Ticker;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.QueueingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.internal.time.Backoff;
import com.github.reservation.internal.time.LeaseTimes;
import com.github.reservation.internal.time.Reading;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Calls the store of one manager, and retries.
 *
 * <ol>
 *   <li>The interrupt flag is cleared during a call and restored afterwards: an interrupt would break the connection of a
 *       virtual thread, or the file of an embedded database. An interrupt that arrives during a call and makes it fail is not
 *       a failure of the store; the outcome of that call is unknown.
 *   <li>{@code CONTENTION} is retried up to five times, within two seconds and before the caller's deadline.
 *   <li>{@code OUTCOME_UNKNOWN} is resolved within the same limits. A call that may safely run twice is repeated. A release is
 *       followed by a look at the key. An acquisition is resolved by its caller. A call that an interrupt broke does not
 *       count against the limits.
 *   <li>A release that still fails is the caller's to retry in the background, with {@link #releaseLater}.
 * </ol>
 */
public final class RetryingStore {

    private static final int MAX_RETRIES = 5;
    private static final long MAX_RETRY_TIME = Duration.ofSeconds(2).toNanos();
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    /** One call to the store. */
    @FunctionalInterface
    public interface Call<T> {
        T run() throws StoreException;
    }

    private final LeaseStore store;
    private final Ticker ticker;
    private final StoreHealth health;
    private final ReleaseRetrier retrier;

    /** Passes the key of each lease that was released in the background to {@code released}. */
    public RetryingStore(
            LeaseStore store, Ticker ticker, String domain, Meters meters, Consumer<String> released) {
        this.store = store;
        this.ticker = ticker;
        this.health = new StoreHealth(domain, ticker, meters);
        this.retrier = new ReleaseRetrier(this, domain, released);
    }

    public LeaseStore store() {
        return store;
    }

    public Ticker ticker() {
        return ticker;
    }

    public Optional<StoredLease> find(String key) throws StoreException {
        return repeated(() -> store.find(key));
    }

    public boolean forceRelease(String key) throws StoreException {
        return repeated(() -> store.forceRelease(key));
    }

    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return repeated(() -> store.list(keyPrefix));
    }

    /** Returns whether this very lease still exists. */
    public boolean isHeldBy(LeaseId lease) throws StoreException {
        return find(lease.key()).filter(found -> found.id().equals(lease)).isPresent();
    }

    /**
     * Renews the lease.
     *
     * @return when the successful request was sent; empty if the lease is lost
     */
    public Optional<Reading> renew(LeaseId lease, Duration leaseTime) throws StoreException {
        return repeated(() -> {
            Reading sent = Reading.of(ticker);
            return store.renew(List.of(lease), leaseTime).contains(lease) ? Optional.of(sent) : Optional.empty();
        });
    }

    /** Renews the leases; returns those that exist. */
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        return repeated(() -> store.renew(leases, leaseTime));
    }

    /** Releases the leases, whether they exist or not. */
    public void release(Collection<LeaseId> leases) throws StoreException {
        repeated(() -> store.release(leases));
    }

    /**
     * Releases the lease.
     *
     * @param trusted whether the holder could still trust the lease when it decided to release it
     * @return whether the lease was the holder's until then
     */
    public boolean release(LeaseId lease, boolean trusted) throws StoreException {
        return release(lease, trusted, () -> store.release(List.of(lease)).contains(lease));
    }

    /** Releases the lease for a node where other threads wait, so that the node keeps its turn. */
    public boolean releaseAndQueue(LeaseId lease, boolean trusted, String node, boolean mayStay)
            throws StoreException {
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
                // A release in doubt can take effect after the look: then it was this one that ended the lease.
                return released || (inDoubt && trusted);
            } catch (StoreException e) {
                repeats.allowOrThrow(e);
                inDoubt = true;
                if (!isHeldBy(lease)) {
                    // Gone. If it was trusted, nobody could have had it before this release took effect.
                    return trusted;
                }
            }
        }
    }

    /** Releases the lease in the background; it expires at {@code end} in any case. */
    public void releaseLater(LeaseId lease, long end) {
        retrier.release(lease, end);
    }

    /**
     * Releases in the background a lease that may or may not have been granted. The request may still be on its way when the
     * store answers that there is no such lease: so the release is sent a second time, a moment later.
     */
    public void releaseInDoubt(LeaseId lease, long end) {
        retrier.releaseInDoubt(lease, end);
    }

    /** Returns whether a release of the lease is pending in the background. */
    public boolean isReleasePending(LeaseId lease) {
        return retrier.isPending(lease);
    }

    /** Returns whether no release is pending in the background. */
    public boolean isIdle() {
        return retrier.isIdle();
    }

    /** Gives up the node's place in line for the key, where the store keeps one. */
    public void withdraw(String key, String node) {
        if (!(store instanceof QueueingStore queueing)) {
            return;
        }
        try {
            answer(() -> {
                queueing.withdraw(key, node);
                return true;
            });
        } catch (StoreException e) {
            Log.debug("Could not give up the place in line for " + key + "; other nodes wait a moment longer", e);
        }
    }

    /** Counts how often a call whose outcome is unknown is repeated. */
    public final class Repeats {

        private final long deadline;
        private long giveUp;
        private int count;

        /** Allows as many repeats as the rules do. */
        public Repeats() {
            this.giveUp = ticker.nanos() + MAX_RETRY_TIME;
            this.deadline = giveUp + LeaseTimes.FOREVER;
        }

        /** Allows as many repeats as the rules do, until the deadline. */
        public Repeats(long deadline) {
            this.giveUp = earlier(deadline, ticker.nanos() + MAX_RETRY_TIME);
            this.deadline = deadline;
        }

        /** Runs the call under rules 1 and 2, within the time that all repeats share. */
        public <T> T answer(Call<T> call) throws StoreException {
            return answerUntil(giveUp, call);
        }

        /** Returns if the call may be repeated; throws the failure if not. */
        public void allowOrThrow(StoreException failure) throws StoreException {
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

    /** Runs a call that may safely run twice. */
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
    public <T> T answer(Call<T> call) throws StoreException {
        return answerUntil(ticker.nanos() + MAX_RETRY_TIME, call);
    }

    /** Runs the call under rules 1 and 2, until the deadline at most. */
    public <T> T answer(Call<T> call, long deadline) throws StoreException {
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

    /** A backend should not throw anything else; if it does, its outcome is unknown. */
    private static <T> T run(Call<T> call) throws StoreException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "The store failed in an unexpected way: " + e, e);
        }
    }

    /** Pauses; returns whether the thread was interrupted meanwhile. */
    boolean pauseUntil(long time) {
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
