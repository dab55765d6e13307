// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoredLease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads leases from the rows of a lock table. */
final class LeaseRows {

    private LeaseRows() {}

    static Optional<StoredLease> find(SqlSession session, SqlStatement sql, String key) throws SQLException {
        return select(session, sql, key, key::equals).stream().findFirst();
    }

    static boolean exists(SqlSession session, SqlStatement find, LeaseId lease) throws SQLException {
        return find(session, find, lease.key()).filter(found -> found.id().equals(lease)).isPresent();
    }

    static List<StoredLease> list(SqlSession session, SqlStatement sql, String keyPrefix) throws SQLException {
        String pattern =
                keyPrefix.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
        return select(session, sql, pattern, key -> key.startsWith(keyPrefix));
    }

    /** Reads the leases of the wanted keys. The database may return more: keys that its collation considers equal. */
    private static List<StoredLease> select(
            SqlSession session, SqlStatement sql, String keyOrPattern, Predicate<String> wanted) throws SQLException {
        return session.query(sql, Params.of("key", keyOrPattern), LeaseRows::lease).stream()
                .filter(lease -> wanted.test(lease.id().key()))
                .toList();
    }

    private static StoredLease lease(ResultSet row) throws SQLException {
        return new StoredLease(
                new LeaseId(row.getString("reservation_key"), row.getString("holder")),
                Instant.EPOCH.plus(row.getLong("since"), ChronoUnit.MICROS),
                SqlValues.duration(row, "remaining"),
                SqlValues.number(row, "fence"));
    }
}
