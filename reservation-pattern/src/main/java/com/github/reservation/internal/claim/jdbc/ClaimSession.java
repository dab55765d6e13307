// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.store.ClaimChange.Done;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A session with the statements that its transaction needs. */
record ClaimSession(SqlSession sql, ClaimStatements statements) {

    /** How often a call looks again because others were faster. */
    static final int ATTEMPTS = 5;

    private static final String TYPE = "CLAIM_TYPE";

    /** Says that others were faster each time. */
    static StoreException changesAllTheTime(String id) {
        return new StoreException(Kind.CONTENTION, "Other calls change claim " + id + " all the time");
    }

    /** Looks at a claim on which a decision depends. */
    Optional<StoredClaim> look(String id) throws SQLException {
        return sql.queryOne(statements.look, Params.of("id", id), ClaimRows::stored);
    }

    Optional<StoredClaim> find(String id) throws SQLException {
        return sql.queryOne(statements.find, Params.of("id", id), ClaimRows::stored);
    }

    /** Executes an update of one claim; returns the time that it has set; empty if it changed nothing. */
    Optional<Done> update(ClaimUpdate update, String id, Params params) throws SQLException {
        return switch (statements.returning) {
            case ROW -> sql.queryOne(update.sql(), params, row -> new Done(
                    ClaimRows.instant(row.getLong(1)), Optional.of(row.getString(2))));
            case NUMBER -> sql.updateReturning(update.sql(), params, keys -> new Done(
                    ClaimRows.instant(keys.getLong(1)), Optional.empty()), update.column());
            case COLUMN -> sql.updateReturning(update.sql(), params, keys -> new Done(
                    keys.getObject(1, LocalDateTime.class).toInstant(ZoneOffset.UTC),
                    Optional.of(keys.getString(2))), update.column(), TYPE);
            case NOTHING -> sql.execute(update.sql(), params)
                    ? find(id).map(StoredClaim::claim).map(
                            claim -> new Done(update.time().apply(claim), Optional.of(claim.type())))
                    : Optional.empty();
        };
    }

    /**
     * Executes a statement for each of these items, whose rows this transaction has locked, as one batch.
     *
     * <p>H2 can return a row as it was before another transaction changed it, and lock it: a count of 0 says so. A driver that does
     * not count is one of a database whose locks can be relied upon.
     *
     * @return the items whose rows it changed
     */
    <T> List<T> changeEach(SqlStatement change, List<T> items, Function<T, Params> params) throws SQLException {
        List<T> changed = new ArrayList<>();
        if (!items.isEmpty()) {
            int[] counts = sql.updateEach(change, items, params);
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] != 0) {
                    changed.add(items.get(i));
                }
            }
        }
        return changed;
    }
}
