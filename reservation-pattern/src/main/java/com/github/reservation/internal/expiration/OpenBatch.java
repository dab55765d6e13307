// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationBatch;
import com.github.reservation.expiration.RowWork;
import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.expiration.ExpiringRows.Locked;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The rows that a transaction has locked, and which of them were rejected. The status of the rows changes before the first
 * statement of the work; a row that is rejected later must be taken out by a rollback.
 */
public final class OpenBatch<T> implements ExpirationBatch<T> {

    private final List<RowKey> keys = new ArrayList<>();
    private final List<T> rows = new ArrayList<>();
    private final List<Object> events = new ArrayList<>();
    private final Instant expiredAt;
    private final SequencedMap<RowKey, Throwable> rejected = new LinkedHashMap<>();
    private boolean changed;
    private boolean mustRollBack;
    private BooleanSupplier statementFailed = () -> false;
    private boolean seesStatements = true;

    /** Rows that cannot be read, or for which there is no event, are rejected before the work sees them. */
    OpenBatch(Locked<T> locked, Optional<BiFunction<? super T, Instant, ?>> event) {
        this.expiredAt = locked.at();
        this.rejected.putAll(locked.unreadable());
        locked.rows().forEach((key, row) -> add(key, row, event));
    }

    private void add(RowKey key, T row, Optional<BiFunction<? super T, Instant, ?>> event) {
        try {
            if (event.isPresent()) {
                events.add(Objects.requireNonNull(
                        event.get().apply(row, expiredAt), "The event of row " + key + " must not be null"));
            }
            keys.add(key);
            rows.add(row);
        } catch (Throwable e) {
            Errors.throwIfOfTheJvm(e);
            rejected.put(key, e);
        }
    }

    /**
     * Returns work that does one row at a time. A row that fails does not stop the others, unless it was interrupted or a statement
     * failed: so one attempt finds as many rows that fail as it can.
     */
    public static <T> ExpirationPlan.Work<T> rowByRow(RowWork<T> work) {
        return (tx, batch) -> batch.rowByRow(tx, work);
    }

    /** After a row has failed on a statement, the others cannot be tried: a database may refuse all further statements. */
    private void rowByRow(Connection tx, RowWork<T> work) {
        boolean over = false;
        for (int i = 0; i < rows.size() && !over; i++) {
            if (rejected.containsKey(keys.get(i))) {
                continue;
            }
            try {
                work.expire(tx, rows.get(i));
            } catch (Exception e) {
                reject(i, e);
                over = e instanceof InterruptedException || isAboutSql(e) || statementFailed.getAsBoolean();
                mustRollBack |= over; // The work of the rows behind it is not done.
            }
        }
    }

    /** The work may have got at the connection of the driver, whose failures nobody else notices. */
    private static boolean isAboutSql(Exception e) {
        return BatchFailures.chain(e).anyMatch(SQLException.class::isInstance);
    }

    /**
     * Tells that the work begins.
     *
     * @param statementFailed whether one of its statements has failed
     * @param seesStatements whether the work has executed nothing as long as the status is not changed
     */
    void beginWork(BooleanSupplier statementFailed, boolean seesStatements) {
        this.statementFailed = statementFailed;
        this.seesStatements = seesStatements;
    }

    @Override
    public List<T> rows() {
        return accepted(rows);
    }

    /** Returns the values of a list that belong to accepted rows. The list has one value for each row, or none at all. */
    private <V> List<V> accepted(List<V> values) {
        if (rejected.isEmpty()) {
            return List.copyOf(values);
        }
        return IntStream.range(0, values.size())
                .filter(i -> !rejected.containsKey(keys.get(i)))
                .mapToObj(values::get)
                .toList();
    }

    @Override
    public Instant expiredAt() {
        return expiredAt;
    }

    /** Equal rows are worth the same to the work, so any of them that is not rejected yet will do. */
    @Override
    public void reject(T row, Throwable cause) {
        Objects.requireNonNull(row, "row must not be null");
        Objects.requireNonNull(cause, "cause must not be null");
        if (!rows.contains(row)) {
            throw new IllegalArgumentException("row must be one of the rows of the batch, but is " + row);
        }
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).equals(row) && !rejected.containsKey(keys.get(i))) {
                reject(i, cause);
                return;
            }
        }
    }

    private void reject(int index, Throwable cause) {
        rejected.put(keys.get(index), cause);
        mustRollBack |= changed || !seesStatements;
    }

    /** Returns the keys that are not rejected, because their status changes now. */
    List<RowKey> change() {
        changed = true;
        return accepted();
    }

    boolean isChanged() {
        return changed;
    }

    /** Returns whether the work of rejected rows may be done, or that of accepted rows may not be. */
    boolean mustRollBack() {
        return mustRollBack;
    }

    /** Returns all rows that are locked. */
    List<RowKey> locked() {
        Set<RowKey> locked = new LinkedHashSet<>(keys);
        locked.addAll(rejected.keySet());
        return List.copyOf(locked);
    }

    List<RowKey> accepted() {
        return accepted(keys);
    }

    SequencedMap<RowKey, Throwable> rejected() {
        return rejected;
    }

    /** Returns the events of the accepted rows. */
    List<Object> events() {
        return accepted(events);
    }
}
