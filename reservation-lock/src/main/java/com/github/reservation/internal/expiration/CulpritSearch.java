// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.store.Errors;
import com.github.reservation.internal.store.ExpiringRows.Locked;
import com.github.reservation.internal.store.RowKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that fail, in the transaction that has locked them. It tries the rows in parts, and a part that fails in halves. Each
 * attempt is rolled back to a savepoint, so none waits for the disk.
 *
 * <p>PostgreSQL, Oracle and H2 then release the shared rows that the attempt has locked. InnoDB keeps their locks until the transaction
 * ends: there the attempts together lock shared rows in no fixed order, and a search can deadlock with another transaction. It
 * gives up then.
 */
final class CulpritSearch<T> {

    /** With a few culprits in a batch, this takes fewer attempts than halves of the whole. */
    private static final int PARTS = 16;

    /**
     * Why to search, and when to stop.
     *
     * @param cause why the batch failed
     * @param stopping whether to begin nothing more
     */
    record Order(Throwable cause, FailureStreak streak, BooleanSupplier stopping) {}

    private final ExpirationPlan<T> plan;
    private final Connection connection;
    private final Locked<T> locked;
    private final Order order;
    private final long deadline;
    private final Map<RowKey, Throwable> culprits = new LinkedHashMap<>();

    /** Ends the run. */
    private Outcome.@Nullable Ended end;

    CulpritSearch(ExpirationPlan<T> plan, Connection connection, Locked<T> locked, Order order) {
        this.plan = plan;
        this.connection = connection;
        this.locked = locked;
        this.order = order;
        this.deadline = plan.deadline();
    }

    /**
     * Searches, and leaves the rows as they were.
     *
     * @throws Exception if the search cannot go on, and the transaction must be rolled back
     */
    void run(List<RowKey> suspects) throws Exception {
        Savepoint start = connection.setSavepoint();
        int size = Math.ceilDiv(suspects.size(), PARTS);
        for (int from = 0; from < suspects.size(); from += size) {
            fails(suspects.subList(from, Math.min(suspects.size(), from + size)), start);
        }
    }

    /** Tries rows, and looks for the culprits among them if they fail. */
    private boolean fails(List<RowKey> rows, Savepoint start) throws Exception {
        if (rows.isEmpty() || isOver()) {
            return false;
        }
        switch (attempt(rows, start)) {
            case Outcome.Committed passed -> {
                return false;
            }
            case Outcome.Rejected(Map<RowKey, Throwable> rejected) -> {
                culprits.putAll(rejected);
                fails(BatchRunner.without(rows, rejected.keySet()), start);
            }
            case Outcome.Failed(List<RowKey> suspects, Throwable cause) when rows.size() == 1 ->
                culprits.put(rows.getFirst(), cause);
            case Outcome.Failed failed -> halve(rows, start);
            case Outcome.Undecided(List<RowKey> suspects, Throwable cause) -> throw Errors.asException(cause);
            case Outcome.Contended(List<RowKey> suspects, Throwable cause) -> throw Errors.asException(cause);
            case Outcome.Ended ended -> {
                end = ended;
                throw Errors.asException(ended.cause());
            }
        }
        return true;
    }

    /** If the first half does not fail, the second does: it need not be tried as a whole. */
    private void halve(List<RowKey> rows, Savepoint start) throws Exception {
        List<RowKey> first = rows.subList(0, rows.size() / 2);
        List<RowKey> second = rows.subList(rows.size() / 2, rows.size());
        if (fails(first, start) || second.size() == 1) {
            fails(second, start);
        } else {
            halve(second, start);
        }
    }

    /**
     * Tries rows, and rolls back to the savepoint. It leaves that out if another transaction was in the way or the time was up: then
     * the transaction may be gone, and the search ends.
     */
    private Outcome attempt(List<RowKey> rows, Savepoint start) throws SQLException {
        BatchAttempt<T> attempt =
                new BatchAttempt<>(plan, connection, new OpenBatch<>(locked.only(rows), plan.event()), deadline);
        Outcome outcome;
        try {
            attempt.run();
            outcome = new Outcome.Committed(rows, Map.of());
            order.streak.succeeded();
        } catch (Throwable e) {
            outcome = attempt.outcomeOf(e);
            order.streak.failed();
        }
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
        return order.streak.isHopeless() || order.stopping.getAsBoolean() || deadline - plan.ticker().nanos() <= 0;
    }

    Map<RowKey, Throwable> culprits() {
        return culprits;
    }

    /** Returns whether the other rows can expire. */
    boolean isDone() {
        return !culprits.isEmpty() && !isOver();
    }

    /** Returns what became of the batch if the search is not done. */
    Outcome unfinished(List<RowKey> suspects) {
        return outcomeOf(order.cause, suspects);
    }

    /** Returns what it means that the search failed. What it has found until then stays true. */
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
