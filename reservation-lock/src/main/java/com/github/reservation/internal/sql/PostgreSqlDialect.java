// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** PostgreSQL. {@code now()} is the start of the transaction there, so the clock is {@code clock_timestamp()}. */
final class PostgreSqlDialect implements Dialect {

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String QUERY_CANCELED = "57014";

    /** duplicate_prepared_statement, invalid_sql_statement_name */
    private static final Set<String> PREPARED_ELSEWHERE = Set.of("42P05", "26000");

    private static final Map<String, Kind> KINDS = Map.ofEntries(
            Map.entry(LOCK_NOT_AVAILABLE, Kind.CONTENTION),
            Map.entry(QUERY_CANCELED, Kind.OUTCOME_UNKNOWN),
            Map.entry("57P01", Kind.OUTCOME_UNKNOWN), // admin_shutdown
            Map.entry("57P02", Kind.OUTCOME_UNKNOWN), // crash_shutdown
            Map.entry("57P03", Kind.UNAVAILABLE), // cannot_connect_now
            Map.entry("57P05", Kind.OUTCOME_UNKNOWN), // idle_session_timeout
            Map.entry("26000", Kind.MISCONFIGURED), // invalid_sql_statement_name
            Map.entry("25006", Kind.UNAVAILABLE)); // read_only_sql_transaction: a standby, or a full disk

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public Upsert upsert() {
        return Upsert.ON_CONFLICT;
    }

    /** By its search path. If that table has no primary key, the upsert fails. */
    @Override
    public boolean findsTablesElsewhere() {
        return true;
    }

    @Override
    public String now() {
        return "clock_timestamp() AT TIME ZONE 'UTC'";
    }

    /** PostgreSQL searches an index only for a time that stays the same. The clock goes on. */
    @Override
    public String startOfStatement() {
        return "statement_timestamp() AT TIME ZONE 'UTC'";
    }

    @Override
    public String zonedStartOfStatement() {
        return "statement_timestamp()";
    }

    @Override
    public String nowPlus(String micros) {
        return "clock_timestamp() AT TIME ZONE 'UTC' + " + micros + " * INTERVAL '1 microsecond'";
    }

    @Override
    public String nowMinus(String micros) {
        return startOfStatement() + " - " + micros + " * INTERVAL '1 microsecond'";
    }

    @Override
    public String microsBetween(String from, String to) {
        return "CAST(EXTRACT(EPOCH FROM (" + to + ") - (" + from + ")) * 1000000 AS BIGINT)";
    }

    @Override
    public String microsSinceZoned(String time) {
        return microsBetween(time, zonedStartOfStatement());
    }

    @Override
    public String atMostRows(String limit) {
        return "LIMIT " + limit;
    }

    @Override
    public Returning returning(boolean callers) {
        return Returning.ROW;
    }

    @Override
    public Optional<String> rowsOf(String... arrays) {
        return Optional.of(Arrays.stream(arrays)
                .map(array -> "CAST(" + array + " AS TEXT[])")
                .collect(Collectors.joining(", ", "UNNEST(", ")")));
    }

    /** {@code <> 0}, not {@code > 0}: the planner expects the first of most rows, and the second of a third of them. */
    @Override
    public String contains(String text, String part) {
        return "STRPOS(" + text + ", " + part + ") <> 0";
    }

    /** PostgreSQL commits transactions that notify one after another: so the condition should hold rarely. */
    @Override
    public Optional<String> notifyIf(String condition, String channel, String address, String secret) {
        return Optional.of("CASE WHEN " + condition + " THEN CAST(pg_notify(" + channel + ", " + address
                + " || ENCODE(SHA256(CONVERT_TO(" + secret + ", 'UTF8')), 'hex')) AS TEXT) END");
    }

    @Override
    public Optional<String> relaxedCommit() {
        return Optional.of("set_config('synchronous_commit', 'off', TRUE)");
    }

    /** A subquery without a variable is evaluated once, before the first row is read; the setting ends with the statement. */
    @Override
    public Optional<String> lockWait() {
        return Optional.of("(SELECT set_config('lock_timeout', '250ms', TRUE)) IS NOT NULL");
    }

    /** Since pgjdbc 42.7.13. Switching autocommit on is free if it is on, and fails in such a transaction. */
    @Override
    public boolean hidesTransactions() {
        return true;
    }

    /** pgjdbc wakes a thread for each statement with a query timeout, which costs more than all our own work. */
    @Override
    public TimeLimit timeLimit() {
        return TimeLimit.WATCH;
    }

    @Override
    public boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    @Override
    public boolean isCancelled(SQLException e) {
        return QUERY_CANCELED.equals(e.getSQLState());
    }

    @Override
    public Optional<String> remedyOf(SQLException e) {
        return Optional.ofNullable(e.getSQLState())
                .filter(PREPARED_ELSEWHERE::contains)
                .map(state -> "Another session answered than the one that prepared the statement. Behind PgBouncer in transaction mode"
                        + " set prepareThreshold=0 in the URL, or use PgBouncer 1.21 or newer with max_prepared_statements");
    }

    @Override
    public Optional<Kind> kindOf(SQLException e) {
        return Optional.ofNullable(e.getSQLState()).map(KINDS::get);
    }
}
