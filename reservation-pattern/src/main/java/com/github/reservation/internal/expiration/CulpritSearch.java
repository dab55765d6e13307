// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.expiration.ExpiringRows.Locked;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that fail, in the transaction that has locked them. It tries the rows part by part, from the first row to the last. If a
 * part fails, it halves the part until it has found the first culprit, and goes on with a new part behind it. Each attempt is rolled
 * back to a savepoint, so none waits for the disk.
 *
 * <p>PostgreSQL, Oracle and H2 then release the shared rows that the attempt has locked. InnoDB keeps their locks until the transaction
 * ends: there the attempts together lock shared rows in no fixed order, and a search can deadlock with another transaction. It
 * gives up then.
 */
final class CulpritSearch<T> {

    /** With a few culprits in a batch, this takes fewer attempts than halves of the whole. */
    private static final int PARTS = 16;

    /**
     * What ends a search early, beside its time limit.
     *
     * @param stopping whether to begin nothing more
     */
    record Limits(FailureStreak streak, BooleanSupplier stopping) {}

    private final ExpirationPlan<T> plan;
    private final Connection connection;
    private final Locked<T> locked;
    private final Limits limits;
    private final long deadline;
    private final Map<RowKey, Throwable> culprits = new LinkedHashMap<>();

    /** Ends the run. */
    private Outcome.@Nullable Ended end;

    CulpritSearch(ExpirationPlan<T> plan, Connection connection, Locked<T> locked, Limits limits) {
        this.plan = plan;
        this.connection = connection;
        this.locked = locked;
        this.limits = limits;
        this.deadline = plan.deadline();
    }

    /**
     * Searches, and leaves the rows as they were.
     *
     * @throws Exception if the search cannot go on, and the transaction must be rolled back
     */
    void run(List<RowKey> suspects) throws Exception {
        Savepoint start = connection.setSavepoint();
        List<RowKey> left = new ArrayList<>(suspects);
        int partSize = Math.ceilDiv(suspects.size(), PARTS);
        int failing = 0; // If it is not 0, a culprit is among so many rows at the front.
        while (!left.isEmpty() && !isOver()) {
            int size = failing == 0 ? Math.min(partSize, left.size()) : Math.ceilDiv(failing, 2);
            List<RowKey> rows = left.subList(0, size);
            switch (attempt(List.copyOf(rows), start)) {
                case Outcome.Committed passed -> {
                    rows.clear();
                    failing = Math.max(0, failing - size); // If there is a culprit, it is among the others.
                }
                case Outcome.Rejected(Map<RowKey, Throwable> rejected) -> {
                    culprits.putAll(rejected);
                    left.removeAll(rejected.keySet());
                    failing = 0;
                }
                case Outcome.Failed(List<RowKey> tried, Throwable cause) when size == 1 -> {
                    culprits.put(left.removeFirst(), cause);
                    failing = 0;
                }
                case Outcome.Failed failed -> failing = size;
                case Outcome.Undecided(List<RowKey> tried, Throwable cause) -> throw Errors.asException(cause);
                case Outcome.Contended(List<RowKey> tried, Throwable cause) -> throw Errors.asException(cause);
                case Outcome.Ended ended -> {
                    end = ended;
                    throw Errors.asException(ended.cause());
                }
            }
        }
    }

    /**
     * Tries rows, and rolls back to the savepoint. It leaves that out if another transaction was in the way or the time was up: then
     * the transaction may be gone, and the search ends.
     */
    private Outcome attempt(List<RowKey> rows, Savepoint start) throws SQLException {
        OpenBatch<T> batch = new OpenBatch<>(locked.only(rows), plan.event());
        BatchAttempt<T> attempt = new BatchAttempt<>(plan, connection, batch, deadline);
        Outcome outcome;
        try {
            attempt.run();
            outcome = new Outcome.Committed(batch.accepted(), batch.rejected());
        } catch (Throwable e) {
            outcome = attempt.outcomeOf(e);
        }
        limits.streak.count(outcome);
        if (outcome instanceof Outcome.Committed || outcome instanceof Outcome.Rejected
                || outcome instanceof Outcome.Failed) {
            connection.rollback(start);
        }
        return outcome;
    }

    /** Returns until when the search and the attempt after it may take: the rows are locked for as long. */
    long deadline() {
        return deadline;
    }

    private boolean isOver() {
        return limits.streak.isHopeless() || limits.stopping.getAsBoolean() || deadline - plan.ticker().nanos() <= 0;
    }

    Map<RowKey, Throwable> culprits() {
        return culprits;
    }

    /** Returns whether it has tried all rows, and there is time for those that passed. */
    boolean isDone() {
        return !isOver();
    }

    /** Returns what became of the batch if the search is not done. */
    Outcome unfinished(List<RowKey> suspects) {
        return outcomeOf(new TimeoutException("The search for the rows that fail ended early"), suspects);
    }

    /** Returns what it means that the search failed, or the attempt after it. What it has found until then stays true. */
    Outcome outcomeOf(Throwable e, List<RowKey> suspects) {
        if (end != null) {
            return end;
        }
        if (Errors.isOfTheJvm(e)) {
            return new Outcome.Ended(e);
        }
        return culprits.isEmpty() ? new Outcome.Undecided(suspects, e) : new Outcome.Rejected(culprits);
    }
}
