// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialect.Returning;
import com.github.reservation.internal.sql.PostgreSqlListener;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The statements that end a lease, or a node's wait. A release keeps the row, so that the fence goes on, and reserves the key
 * for the first waiting node. PostgreSQL can notify that node in the same statement. Their full text is in
 * {@code docs/backends/sql}.
 */
final class ReleaseStatements {

    /** Ends a lease that still runs. 0 rows: it was lost before. */
    final SqlStatement release;

    /** Ends a lease and adds the node to the end of the queue, if other nodes wait. 0 rows: the lease was lost before. */
    final SqlStatement releaseBehind;

    /** Ends a lease and puts the node first in the queue, if other nodes wait. 0 rows: the lease was lost before. */
    final SqlStatement releaseBefore;

    /** Ends a lease and grants the key to another thread of the node. 0 rows: the lease was lost, or other nodes wait. */
    final SqlStatement pass;

    /** Does the same even if other nodes wait. 0 rows: the lease was lost before. */
    final SqlStatement passInAnyCase;

    /**
     * Ends the lease of a key, whatever its holder, and returns the holder. 0 rows: the key was free. Empty if an update cannot return
     * a text.
     */
    final Optional<SqlStatement> forceRelease;

    /** Removes the node from the queue; if it was first, the key is reserved for the next. 0 rows: it was not in the queue. */
    final SqlStatement withdraw;

    private final Dialect dialect;
    private final SqlTemplates templates;

    /**
     * Makes the statements.
     *
     * @param durable whether a release waits until it is on disk
     * @param notifies whether a release notifies the first waiting node, if the database can
     */
    ReleaseStatements(Dialect dialect, SqlTemplates templates, boolean durable, boolean notifies) {
        this.dialect = dialect;
        this.templates = templates;
        this.release = release("release", "", clauses(durable, notifies));
        this.releaseBehind = release("release, and join the end of the queue", """
                ,
                    waiters = CASE WHEN waiters IS NULL OR {in queue} OR LENGTH(waiters) >= {capacity} THEN waiters
                        ELSE {queue with node} END""", clauses(durable, notifies));
        this.releaseBefore = release("release, and stay first in the queue", """
                ,
                    waiters = CASE WHEN waiters IS NOT NULL
                        THEN SUBSTR({node before queue}, 1, {capacity}) END""", clauses(durable, false));
        this.pass = pass("pass on to another thread, unless other nodes wait",
                "\n  AND (waiters IS NULL OR waiters = :node)");
        this.passInAnyCase = pass("pass on to another thread", "");
        this.forceRelease = dialect.returning(false) == Returning.NUMBER
                ? Optional.empty()
                : Optional.of(forceRelease(clauses(true, notifies)));
        this.withdraw = templates.statement("leave the queue", """
                UPDATE {table}
                SET reserved_until = CASE WHEN {first} = :node THEN {grace end} ELSE reserved_until END,
                    waiters = NULLIF(REPLACE(waiters, :node, ''), '')
                WHERE reservation_key = :key
                  AND {in queue}{same key}
                {returning}
                """, Map.of("returning", returning(clauses(true, notifies))));
    }

    /** Where it can, it returns whether nodes wait for the key. */
    private SqlStatement release(String purpose, String queueChange, List<String> clauses) {
        Stream<String> awaited = dialect.hasReturning() ? Stream.of("waiters IS NOT NULL AS awaited") : Stream.empty();
        return templates.statement(purpose, """
                UPDATE {table}
                SET {reserve for first},
                    expires_at = {epoch}{queue change}
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{same key}{same holder}
                {returning}
                """, Map.of(
                "queue change", queueChange,
                "returning", returning(Stream.concat(awaited, clauses.stream()).toList())));
    }

    private SqlStatement forceRelease(List<String> clauses) {
        Stream<String> holder = dialect.hasReturning() ? Stream.of("holder") : Stream.empty();
        return templates.statement("force release", """
                UPDATE {table}
                SET {reserve for first},
                    expires_at = {epoch}
                WHERE reservation_key = :key
                  AND expires_at > {now}{same key}
                {returning}
                """, Map.of("returning", returning(Stream.concat(holder, clauses.stream()).toList())));
    }

    private SqlStatement pass(String purpose, String condition) {
        return templates.statement(purpose, """
                UPDATE {table}
                SET fence = {next fence},
                    waiters = CASE WHEN waiters IS NOT NULL THEN NULLIF(REPLACE(waiters, :node, ''), '') END,
                    holder = :next,
                    acquired_at = {now},
                    expires_at = {lease end}
                WHERE reservation_key = :key
                  AND holder = :holder
                  AND expires_at > {now}{condition}{same key}{same holder}
                {returning fence}
                """, Map.of("condition", condition));
    }

    static String returning(List<String> clauses) {
        return clauses.isEmpty() ? "" : "RETURNING " + String.join(",\n    ", clauses);
    }

    /** Returns what notifies the first waiting node of a free key, and lets the commit not wait for the disk. */
    List<String> clauses(boolean durable, boolean notifies) {
        return Stream.concat(
                durable ? Stream.empty() : dialect.relaxedCommit().stream(),
                notifies ? notification().stream() : Stream.empty())
                .toList();
    }

    /** The payload names the node, and the key by its {@code KeyDigest}. */
    private Optional<String> notification() {
        return dialect.notifyIf(
                "waiters IS NOT NULL AND expires_at <= {now}",
                PostgreSqlListener.listenerAt("SUBSTR(waiters, 1, " + PostgreSqlListener.ADDRESS_LENGTH + ")"),
                "SUBSTR(waiters, 1, " + WaitersColumn.NODE_LENGTH + ")",
                "reservation_key");
    }
}
