// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.expiration.FailedRow;
import com.github.reservation.internal.store.Errors;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.store.RowKey;
import com.github.reservation.internal.time.Backoff;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Expires batches in one run. If a row fails, it is set aside and the rest of its batch is tried again. If it is not known which row
 * failed, the batch is halved until it is.
 */
final class BatchRunner<T> {

    private static final int MOST_RETRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** Of further rows a run logs only how many there are. */
    private static final int MOST_WARNINGS = 10;

    private final ExpirationPlan<T> plan;
    private final SetAside setAside;
    private final ExpirationTally tally;
    private int warnings;

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
        Deque<List<RowKey>> batches = new ArrayDeque<>(List.of(keys));
        while (!batches.isEmpty() && !tally.isStopping()) {
            List<RowKey> batch = batches.pop();
            switch (attempt(batch)) {
                case Outcome.Committed(List<RowKey> expired, Map<RowKey, Throwable> rejected) -> {
                    setAside.expired(expired);
                    rejected.forEach(this::failed);
                    tally.processed(expired.size());
                }
                case Outcome.Rejected(Map<RowKey, Throwable> culprits) -> {
                    culprits.forEach(this::failed);
                    pushUnlessEmpty(batches, without(batch, culprits.keySet()));
                }
                case Outcome.Failed(List<RowKey> suspects, Throwable cause) -> search(batches, suspects, cause);
                case Outcome.Contended(List<RowKey> suspects, Throwable cause) -> search(batches, suspects, cause);
            }
        }
    }

    /** Tries a batch, again after a pause if another transaction was in the way. */
    private Outcome attempt(List<RowKey> batch) throws Exception {
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        for (int retries = 0;; retries++) {
            Outcome outcome = new BatchTransaction<>(plan, batch).run();
            if (!(outcome instanceof Outcome.Contended contended) || retries == MOST_RETRIES) {
                return outcome;
            }
            Log.debug("A batch of source " + plan.source() + " met another transaction and is tried again",
                    contended.cause());
            LockSupport.parkNanos(this, pauses.next());
        }
    }

    private void search(Deque<List<RowKey>> batches, List<RowKey> suspects, Throwable cause) throws Exception {
        if (suspects.isEmpty()) {
            throw Errors.asException(cause); // Not even locked: it is not about a row.
        }
        if (suspects.size() == 1) {
            failed(suspects.getFirst(), cause);
            return;
        }
        int half = suspects.size() / 2;
        batches.push(suspects.subList(half, suspects.size()));
        batches.push(suspects.subList(0, half));
    }

    private void failed(RowKey key, Throwable cause) {
        int attempts = setAside.failed(key);
        tally.failed(new FailedRow(key.toString(), attempts, cause));
        if (attempts == 1 && warnings++ < MOST_WARNINGS) {
            Log.warn("Row " + key + " of source " + plan.source()
                    + " could not expire; it keeps its status and is tried again later", cause);
        }
    }

    private static void pushUnlessEmpty(Deque<List<RowKey>> batches, List<RowKey> batch) {
        if (!batch.isEmpty()) {
            batches.push(batch);
        }
    }

    private static List<RowKey> without(List<RowKey> batch, Set<RowKey> culprits) {
        return batch.stream().filter(key -> !culprits.contains(key)).toList();
    }
}
