// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.Ticker;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The rules by which calls to a store are retried.
 *
 * <ol>
 *   <li>The interrupt flag is cleared during a call and restored afterwards: an interrupt would break the connection of a
 *       virtual thread, or the file of an embedded database. An interrupt that arrives during a call and makes it fail is not
 *       a failure of the store; the outcome of that call is unknown.
 *   <li>{@code CONTENTION} is retried up to five times, within two seconds and before the caller's deadline.
 *   <li>{@code OUTCOME_UNKNOWN} is resolved within the same limits. A call that may safely run twice is repeated; others are
 *       resolved by their callers. A call that an interrupt broke does not count against the limits.
 * </ol>
 */
public final class Retries {

    private static final int MAX_RETRIES = 5;
    private static final long MAX_RETRY_TIME = Duration.ofSeconds(2).toNanos();

    /** Before the first retry; each later pause is twice as long. */
    private static final long FIRST_PAUSE = Duration.ofMillis(5).toNanos();

    /** One call to the store. */
    @FunctionalInterface
    public interface Call<T> {
        T run() throws StoreException;
    }

    private final Ticker ticker;
    private final StoreHealth health;

    /** Names {@code subject} in the log if its store does not answer, and passes each such failure to {@code failures}. */
    public Retries(Ticker ticker, String subject, Consumer<StoreException> failures) {
        this.ticker = ticker;
        this.health = new StoreHealth(subject, ticker, failures);
    }

    /** The limits of one call. If its outcome is unknown and it is repeated, all repeats share them. */
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

        /** Runs the call under rules 1 and 2. */
        public <T> T answer(Call<T> call) throws StoreException {
            assert !Clockwork.isThisThread() : "A call to a store would delay all deadlines";
            boolean interrupted = Thread.interrupted();
            try {
                for (int retries = 0;; retries++) {
                    try {
                        T answer = call.run();
                        health.answered();
                        return answer;
                    } catch (StoreException | RuntimeException thrown) {
                        StoreException e = asStoreException(thrown);
                        if (Thread.interrupted()) {
                            interrupted = true;
                            throw StoreException.interrupted(e);
                        }
                        boolean retry = e.kind() == Kind.CONTENTION && retries < MAX_RETRIES;
                        long again = ticker.nanos()
                                + Backoff.shortened(Backoff.doubled(FIRST_PAUSE, retries, MAX_RETRY_TIME));
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

        /** Runs a call that may safely run twice. */
        public <T> T repeated(Call<T> call) throws StoreException {
            while (true) {
                try {
                    return answer(call);
                } catch (StoreException e) {
                    allowOrThrow(e);
                }
            }
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
    public <T> T repeated(Call<T> call) throws StoreException {
        return new Repeats().repeated(call);
    }

    /** Runs the call under rules 1 and 2. */
    public <T> T answer(Call<T> call) throws StoreException {
        return new Repeats().answer(call);
    }

    /** Runs the call under rules 1 and 2, until the deadline at most. */
    public <T> T answer(Call<T> call, long deadline) throws StoreException {
        return new Repeats(deadline).answer(call);
    }

    /** A backend should not throw anything else; if it does, its outcome is unknown. */
    private static StoreException asStoreException(Exception e) {
        return e instanceof StoreException known
                ? known
                : new StoreException(Kind.OUTCOME_UNKNOWN, "The store failed in an unexpected way: " + e, e);
    }

    /** Pauses; returns whether the thread was interrupted meanwhile. */
    public boolean pauseUntil(long time) {
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
