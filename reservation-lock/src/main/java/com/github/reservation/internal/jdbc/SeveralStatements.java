// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.store.LeaseId;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The statements on many leases at once, for a database where a parameter can be an array. Elsewhere the statement for one lease is
 * executed as a batch. Their full text is in {@code docs/backends/sql}.
 *
 * @param renew lets the leases that still run end later, never earlier, and counts them: as a rule it renews all of them, and then
 *     the count says enough. It fails if it has to wait for a row for longer than a moment
 * @param renewUnlocked does the same but for those whose rows another statement has locked, and returns the leases. It costs almost
 *     twice as much
 * @param releaseUnlocked ends the leases that still run, but for those whose rows another statement has locked. It holds many
 *     locks and must not wait for one: a renewal of the same leases may lock their rows in another order
 * @param findRunning reads which of the leases still run
 */
record SeveralStatements(
        SqlStatement renew, SqlStatement renewUnlocked, SqlStatement releaseUnlocked, SqlStatement findRunning) {

    /** Makes the statements. A release also returns what {@code releaseClauses} say. */
    static Optional<SeveralStatements> of(Dialect dialect, SqlTemplates templates, List<String> releaseClauses) {
        return dialect.rowsOf(":keys", ":holders").map(pairs -> new SeveralStatements(
                renew(templates, pairs),
                renewUnlocked(templates, pairs),
                releaseUnlocked(templates, pairs, releaseClauses),
                findRunning(templates, pairs)));
    }

    private static SqlStatement renew(SqlTemplates templates, String pairs) {
        return templates.statement("renew several leases", """
                UPDATE {table} lease
                SET expires_at = GREATEST(lease.expires_at, {lease end})
                FROM {pairs} AS wanted (reservation_key, holder)
                WHERE lease.reservation_key = wanted.reservation_key
                  AND lease.holder = wanted.holder
                  AND lease.expires_at > {now}{wait briefly}
                """, Map.of("pairs", pairs));
    }

    private static SqlStatement renewUnlocked(SqlTemplates templates, String pairs) {
        return templates.statement("renew several leases: some are locked or lost", """
                WITH unlocked AS (
                    SELECT reservation_key
                    FROM {table}
                    WHERE (reservation_key, holder) IN (SELECT * FROM {pairs} AS wanted)
                      AND expires_at > {now}
                    FOR UPDATE SKIP LOCKED
                )
                UPDATE {table}
                SET expires_at = GREATEST(expires_at, {lease end})
                WHERE reservation_key IN (SELECT reservation_key FROM unlocked)
                RETURNING reservation_key, holder
                """, Map.of("pairs", pairs));
    }

    private static SqlStatement releaseUnlocked(SqlTemplates templates, String pairs, List<String> clauses) {
        return templates.statement("release several leases", """
                WITH unlocked AS (
                    SELECT reservation_key
                    FROM {table}
                    WHERE (reservation_key, holder) IN (SELECT * FROM {pairs} AS wanted)
                      AND expires_at > {now}
                    FOR UPDATE SKIP LOCKED
                )
                UPDATE {table}
                SET {reserve for first},
                    expires_at = {epoch}
                WHERE reservation_key IN (SELECT reservation_key FROM unlocked)
                {returning}
                """, Map.of("pairs", pairs, "returning", ReleaseStatements.returning(Stream.concat(
                Stream.of("reservation_key", "holder"), clauses.stream()).toList())));
    }

    private static SqlStatement findRunning(SqlTemplates templates, String pairs) {
        return templates.statement("several leases: find those that still run", """
                SELECT reservation_key, holder
                FROM {table}
                WHERE (reservation_key, holder) IN (SELECT * FROM {pairs} AS wanted)
                  AND expires_at > {now}
                """, Map.of("pairs", pairs));
    }

    /** Executes a statement on many leases that returns some of them. */
    static Set<LeaseId> find(SqlSession session, SqlStatement sql, Params params) throws SQLException {
        return Set.copyOf(session.query(sql, params, row -> new LeaseId(row.getString(1), row.getString(2))));
    }

    /** Returns the values of a statement on many leases. */
    static Params paramsOf(SqlSession session, List<LeaseId> leases) throws SQLException {
        return Params.of(
                "keys", session.textsOf(leases, LeaseId::key), "holders", session.textsOf(leases, LeaseId::holder));
    }
}
