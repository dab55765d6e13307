// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.expiration.FailedRow;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.expiration.jdbc.RowKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Expires batches in one run. A batch that fails is halved, without the rows that the work has rejected, until a row that fails is
 * alone: it is set aside. Each half is a transaction of its own, so the rows that pass expire at once, and the order in which the
 * work locks shared rows holds.
 *
 * <p>After many failures in a row it is hardly the rows that fail. Then each batch must prove with one row that it is worth the effort.
 */
final class BatchRunner<T> {

    /** More than it takes to find a few rows in the largest batch. */
    private static final int MANY_FAILURES = 50;

    private static final int MOST_RETRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** Of further rows a run logs only how many there are. */
    private static final int MOST_WARNINGS = 10;

    private final ExpirationPlan<T> plan;
    private final SetAside setAside;
    private final ExpirationTally tally;
    private int warnings;

    /** How many attempts failed since a row expired. */
    private int failures;

    BatchRunner(ExpirationPlan<T> plan, SetAside setAside, ExpirationTally tally) {
        this.plan = plan;
        this.setAside = setAside;
        this.tally = tally;
    }

    /**
     * Expires the rows that are still overdue and not locked by another transaction.
     *
     * @throws Exception if the run cannot go on
     */
    void run(List<RowKey> keys) throws Exception {
        Deque<List<RowKey>> parts = new ArrayDeque<>(List.of(keys));
        while (!parts.isEmpty() && !tally.isStopping()) {
            if (failures < MANY_FAILURES) {
                expire(parts.pop(), parts);
            } else {
                probe(parts);
            }
        }
    }

    /** The last row decides: the oldest ones are those that fail in each run. If it fails, too, the others have to wait. */
    private void probe(Deque<List<RowKey>> parts) throws Exception {
        List<RowKey> part = parts.removeLast();
        int last = part.size() - 1;
        expire(part.subList(last, part.size()), parts);
        if (failures > 0) {
            parts.clear();
        } else if (last > 0) {
            parts.addLast(part.subList(0, last));
        }
    }

    /** Adds what is to be tried again to the parts. */
    private void expire(List<RowKey> keys, Deque<List<RowKey>> parts) throws Exception {
        switch (attempt(keys)) {
            case Outcome.Committed(List<RowKey> expired, Map<RowKey, Throwable> rejected) -> {
                setAside.expired(expired);
                rejected.forEach(this::failed);
                tally.processed(expired.size());
                failures = expired.isEmpty() ? failures : 0;
            }
            case Outcome.Failed(List<RowKey> left, Map<RowKey, Throwable> rejected, Throwable cause, boolean contended) -> {
                countFailure(cause);
                rejected.forEach(this::failed);
                if (!rejected.isEmpty() || left.size() > 1) {
                    pushHalves(left, parts);
                } else if (left.size() == 1) {
                    failed(left.getFirst(), cause);
                } else {
                    throw Errors.asException(cause); // Nothing was even locked: it is not about a row.
                }
            }
        }
    }

    /** Tries a batch, again after a pause if another transaction was in the way. */
    private Outcome attempt(List<RowKey> keys) throws Exception {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        for (int retries = 0;; retries++) {
            Outcome outcome = new BatchTransaction<>(plan, keys).run();
            if (!(outcome instanceof Outcome.Failed failed) || !failed.contended() || retries == MOST_RETRIES) {
                return outcome;
            }
            Log.debug("A batch of source " + plan.source() + " met another transaction and is tried again",
                    failed.cause());
            LockSupport.parkNanos(this, pauses.next());
        }
    }

    private void countFailure(Throwable cause) {
        failures++;
        if (failures == MANY_FAILURES) {
            Log.warn("Source " + plan.source() + " failed " + failures + " times in a row."
                    + " Until a row expires, the run tries one row of each batch", cause);
        }
    }

    private static void pushHalves(List<RowKey> rows, Deque<List<RowKey>> parts) {
        int half = rows.size() / 2;
        if (!rows.isEmpty()) {
            parts.push(rows.subList(half, rows.size()));
        }
        if (half > 0) {
            parts.push(rows.subList(0, half));
        }
    }

    private void failed(RowKey key, Throwable cause) {
        int attempts = setAside.failed(key);
        tally.failed(new FailedRow(key.toString(), attempts, cause));
        if (attempts == 1 && warnings++ < MOST_WARNINGS) {
            Log.warn("Row " + key + " of source " + plan.source()
                    + " could not expire; it keeps its status and is tried again later", cause);
        }
    }
}
