// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoredLease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The statements on a table that has no columns but {@code reservation_key}, {@code holder}, {@code acquired_at} and
 * {@code expires_at}. They are the same on every database, and each is about one key. To renew, purge and check, the statements of
 * the full table do: they name no other column.
 */
final class FourColumnStatements {

    private static final String PREFIX = "on a table of four columns: ";

    /** Grants the key if it has a row and is free. 0 rows: it is held or has no row. */
    private final SqlStatement update;

    /** Grants the key if it has no row. A duplicate key: it has one. */
    private final SqlStatement insert;

    /** Ends a lease that still runs. 0 rows: it was lost before. */
    final SqlStatement release;

    /** Reads the lease of a key. No row: the key is free. */
    final SqlStatement find;

    /** Reads the leases whose keys match a pattern. No row: there are none. */
    final SqlStatement list;

    FourColumnStatements(Dialect dialect, SqlTemplates templates) {
        this.update = templates.statement(PREFIX + "acquire", """
                UPDATE {table}
                SET holder = :holder,
                    acquired_at = {now},
                    expires_at = {lease end}
                WHERE reservation_key = :key
                  AND expires_at <= {now}{same key}
                """);
        this.insert = templates.statement(PREFIX + "acquire a key that has no row", """
                INSERT INTO {table} (reservation_key, holder, acquired_at, expires_at)
                VALUES (:key, :holder, {now}, {lease end})
                """);
        this.release = templates.statement(PREFIX + "release", """
                UPDATE {table}
                SET expires_at = {epoch}
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{same key}{same holder}
                """);
        this.find = LockStatements.find(PREFIX + "find", dialect, templates, "NULL AS fence");
        this.list = LockStatements.list(PREFIX + "list", dialect, templates, "NULL AS fence");
    }

    /**
     * Updates the row of a free key, or inserts it if there is none. A node that polls looks first: a read costs less than a write
     * that changes nothing. A look before the insert spares the database an error for each refusal.
     */
    Acquisition acquire(SqlSession session, AcquireRequest request) throws SQLException {
        LeaseId lease = request.lease();
        Params params = Params.of("key", lease.key(), "holder", lease.holder(), "micros", request.leaseTime());
        Optional<StoredLease> held =
                request.polls() ? LeaseRows.find(session, find, lease.key()) : Optional.empty();
        if (held.isEmpty()) {
            if (session.execute(update, params)) {
                return new Acquisition.Granted(OptionalLong.empty());
            }
            held = LeaseRows.find(session, find, lease.key());
        }
        return held.isEmpty() && insert(session, params)
                ? new Acquisition.Granted(OptionalLong.empty())
                : new Acquisition.Refused(held.map(StoredLease::remaining).orElse(Duration.ZERO), false);
    }

    /** Returns false if the key has a row: another node was faster, or the lease that refused the update has just ended. */
    private boolean insert(SqlSession session, Params params) throws SQLException {
        try {
            return session.execute(insert, params);
        } catch (SQLException e) {
            if (!session.dialect().isDuplicateKey(e)) {
                throw e;
            }
            return false;
        }
    }
}
