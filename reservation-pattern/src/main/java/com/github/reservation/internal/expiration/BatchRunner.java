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
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Expires batches in one run. If a row fails, it is set aside and the rest of its batch is tried again. If it is not known which row
 * failed, the batch is halved until the row is alone. Each part is a transaction of its own, so the rows that pass expire at once, and
 * the order in which the work locks shared rows holds.
 *
 * <p>After too many failures in a row the rest of the batch, and each further batch, must prove with one row that it is worth the
 * effort.
 */
final class BatchRunner<T> {

    /** If so many attempts in a row each found rows that fail, what is left of the batch is halved. */
    private static final int MANY_REJECTIONS = 5;

    private static final int MOST_RETRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** After a batch in which so many rows failed alone, the next one is tried in parts: it would hardly pass as a whole. */
    private static final int MANY_CULPRITS = 3;

    /** With a few culprits in a batch, this takes fewer attempts than halves of the whole. */
    private static final int PARTS = 16;

    /** Of further rows a run logs only how many there are. */
    private static final int MOST_WARNINGS = 10;

    /**
     * Rows to be tried together.
     *
     * @param precedesFailure whether one of these rows, or of the next part, fails
     */
    private record Part(List<RowKey> rows, boolean precedesFailure) {}

    private final ExpirationPlan<T> plan;
    private final SetAside setAside;
    private final ExpirationTally tally;
    private final FailureStreak streak;
    private int warnings;

    /** How many rows of the last batch failed alone. */
    private int culprits;

    BatchRunner(ExpirationPlan<T> plan, SetAside setAside, ExpirationTally tally) {
        this.plan = plan;
        this.setAside = setAside;
        this.tally = tally;
        this.streak = new FailureStreak(plan.source());
    }

    /**
     * Expires the rows that are still overdue and not locked by another transaction.
     *
     * @throws Exception if the run cannot go on
     */
    void run(List<RowKey> keys) throws Exception {
        List<RowKey> left = keys;
        while (!left.isEmpty() && !tally.isStopping()) {
            if (streak.isHopeless()) {
                RowKey probe = left.get(ThreadLocalRandom.current().nextInt(left.size()));
                expire(List.of(probe));
                left = streak.isHopeless() ? List.of() : without(left, Set.of(probe));
            } else {
                left = expire(left);
            }
        }
    }

    /** Returns the rows that were not tried, because the run stops or there were too many failures. */
    private List<RowKey> expire(List<RowKey> keys) throws Exception {
        Deque<Part> parts = partsOf(keys);
        culprits = 0;
        int rejections = 0;
        do {
            Part part = parts.pop();
            switch (attempt(part.rows)) {
                case Outcome.Committed(List<RowKey> expired, Map<RowKey, Throwable> rejected) -> {
                    setAside.expired(expired);
                    rejected.forEach(this::failed);
                    tally.processed(expired.size());
                    rejections = 0;
                    if (part.precedesFailure && expired.size() == part.rows.size()) {
                        pushHalves(parts, parts.pop().rows, true); // A culprit is among them: not tried as a whole.
                    }
                }
                case Outcome.Rejected(Map<RowKey, Throwable> rejected) -> {
                    rejected.forEach(this::failed);
                    rejections++;
                    List<RowKey> left = without(part.rows, rejected.keySet());
                    if (rejections >= MANY_REJECTIONS) {
                        pushHalves(parts, left, false); // Lets some rows expire soon.
                    } else if (!left.isEmpty()) {
                        parts.push(new Part(left, false));
                    }
                }
                case Outcome.Failed(List<RowKey> suspects, Throwable cause) -> halve(parts, suspects, cause, true);
                case Outcome.Undecided(List<RowKey> suspects, Throwable cause) -> halve(parts, suspects, cause, false);
                case Outcome.Contended(List<RowKey> suspects, Throwable cause) -> halve(parts, suspects, cause, false);
                case Outcome.Ended(Throwable cause) -> throw Errors.asException(cause);
            }
        } while (!parts.isEmpty() && !isOver());
        return parts.stream().flatMap(part -> part.rows.stream()).toList();
    }

    private Deque<Part> partsOf(List<RowKey> keys) {
        int size = culprits >= MANY_CULPRITS ? Math.ceilDiv(keys.size(), PARTS) : keys.size();
        Deque<Part> parts = new ArrayDeque<>();
        for (int from = 0; from < keys.size(); from += size) {
            parts.add(new Part(keys.subList(from, Math.min(keys.size(), from + size)), false));
        }
        return parts;
    }

    private boolean isOver() {
        return tally.isStopping() || streak.isHopeless();
    }

    /** Tries a batch, again after a pause if another transaction was in the way. */
    private Outcome attempt(List<RowKey> batch) {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        for (int retries = 0;; retries++) {
            Outcome outcome = new BatchTransaction<>(plan, batch).run();
            if (!(outcome instanceof Outcome.Contended contended) || retries == MOST_RETRIES) {
                streak.count(outcome);
                return outcome;
            }
            Log.debug("A batch of source " + plan.source() + " met another transaction and is tried again",
                    contended.cause());
            LockSupport.parkNanos(this, pauses.next());
        }
    }

    private void halve(Deque<Part> parts, List<RowKey> suspects, Throwable cause, boolean oneFails) throws Exception {
        if (suspects.isEmpty()) {
            throw Errors.asException(cause); // Not even locked: it is not about a row.
        }
        if (suspects.size() == 1) {
            failed(suspects.getFirst(), cause);
            culprits++;
        } else {
            pushHalves(parts, suspects, oneFails);
        }
    }

    private static void pushHalves(Deque<Part> parts, List<RowKey> rows, boolean oneFails) {
        int half = rows.size() / 2;
        if (!rows.isEmpty()) {
            parts.push(new Part(rows.subList(half, rows.size()), false));
        }
        if (half > 0) {
            parts.push(new Part(rows.subList(0, half), oneFails));
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

    static List<RowKey> without(List<RowKey> batch, Set<RowKey> culprits) {
        return batch.stream().filter(key -> !culprits.contains(key)).toList();
    }
}
