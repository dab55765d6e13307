// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.expiration.FailedRow;
import com.github.reservation.internal.base.Backoff;
import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.base.Log;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Expires batches in one run. If a row fails, it is set aside and the rest of its batch is tried again. If it is not known which row
 * failed, a search finds out. If a search does not help, or the transactions are those of a framework, the batch is halved.
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

    /** After a search that found so many, the next batch is searched at once. */
    private static final int MANY_CULPRITS = 3;

    /** Of further rows a run logs only how many there are. */
    private static final int MOST_WARNINGS = 10;

    private final ExpirationPlan<T> plan;
    private final SetAside setAside;
    private final ExpirationTally tally;
    private final FailureStreak streak;
    private int warnings;

    /** Whether the last search found so many culprits that the next batch hardly passes as a whole. */
    private boolean expectsCulprits;

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
        Deque<List<RowKey>> batches = new ArrayDeque<>(List.of(keys));
        boolean searching = plan.isPlainJdbc();
        int rejections = 0;
        do {
            List<RowKey> batch = batches.pop();
            boolean searched = searching && expectsCulprits && batch.size() > 1;
            Outcome outcome = searched ? search(batch) : attempt(batch, Optional.empty());
            if (searching && !searched && outcome instanceof Outcome.Failed(List<RowKey> suspects, Throwable cause)
                    && suspects.size() > 1 && !isOver()) {
                searched = true;
                batch = suspects;
                outcome = search(batch);
            }
            if (searched && outcome instanceof Outcome.Undecided(List<RowKey> locked, Throwable why)) {
                searching = false;
                // Another instance may have taken the row that fails: do not blame what is left.
                outcome = new Outcome.Undecided(batch, why);
            }
            switch (outcome) {
                case Outcome.Committed(List<RowKey> expired, Map<RowKey, Throwable> rejected) -> {
                    setAside.expired(expired);
                    rejected.forEach(this::failed);
                    tally.processed(expired.size());
                    rejections = 0;
                }
                case Outcome.Rejected(Map<RowKey, Throwable> culprits) -> {
                    culprits.forEach(this::failed);
                    rejections++;
                    push(batches, without(batch, culprits.keySet()), rejections >= MANY_REJECTIONS);
                }
                case Outcome.Failed(List<RowKey> suspects, Throwable cause) -> halve(batches, suspects, cause);
                case Outcome.Undecided(List<RowKey> suspects, Throwable cause) -> halve(batches, suspects, cause);
                case Outcome.Contended(List<RowKey> suspects, Throwable cause) -> halve(batches, suspects, cause);
                case Outcome.Ended(Throwable cause) -> throw Errors.asException(cause);
            }
        } while (!batches.isEmpty() && !isOver());
        return batches.stream().flatMap(List::stream).toList();
    }

    private Outcome search(List<RowKey> batch) {
        return attempt(batch, Optional.of(new CulpritSearch.Limits(streak, tally::isStopping)));
    }

    private boolean isOver() {
        return tally.isStopping() || streak.isHopeless();
    }

    /** Tries a batch, again after a pause if another transaction was in the way. */
    private Outcome attempt(List<RowKey> batch, Optional<CulpritSearch.Limits> search) {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        for (int retries = 0;; retries++) {
            BatchTransaction<T> transaction = new BatchTransaction<>(plan, batch, search);
            Outcome outcome = transaction.run();
            if (!(outcome instanceof Outcome.Contended contended) || retries == MOST_RETRIES) {
                streak.count(outcome);
                expectsCulprits = transaction.culprits() >= MANY_CULPRITS;
                return outcome;
            }
            Log.debug("A batch of source " + plan.source() + " met another transaction and is tried again",
                    contended.cause());
            LockSupport.parkNanos(this, pauses.next());
        }
    }

    private void halve(Deque<List<RowKey>> batches, List<RowKey> suspects, Throwable cause) throws Exception {
        if (suspects.isEmpty()) {
            throw Errors.asException(cause); // Not even locked: it is not about a row.
        }
        if (suspects.size() == 1) {
            failed(suspects.getFirst(), cause);
            return;
        }
        push(batches, suspects, true);
    }

    private void failed(RowKey key, Throwable cause) {
        int attempts = setAside.failed(key);
        tally.failed(new FailedRow(key.toString(), attempts, cause));
        if (attempts == 1 && warnings++ < MOST_WARNINGS) {
            Log.warn("Row " + key + " of source " + plan.source()
                    + " could not expire; it keeps its status and is tried again later", cause);
        }
    }

    /** Halves let some rows expire soon, if an attempt finds only one of many rows that fail. */
    private static void push(Deque<List<RowKey>> batches, List<RowKey> rows, boolean halved) {
        int half = halved ? rows.size() / 2 : 0;
        Stream.of(rows.subList(half, rows.size()), rows.subList(0, half))
                .filter(part -> !part.isEmpty())
                .forEach(batches::push);
    }

    static List<RowKey> without(List<RowKey> batch, Set<RowKey> culprits) {
        return batch.stream().filter(key -> !culprits.contains(key)).toList();
    }
}
