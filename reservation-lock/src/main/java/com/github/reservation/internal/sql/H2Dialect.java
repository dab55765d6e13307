// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * H2. A cast of {@code AT TIME ZONE 'UTC'} to a plain {@code TIMESTAMP} returns the session's local time, so this dialect
 * subtracts the session's offset from the local time.
 */
final class H2Dialect implements Dialect {

    private static final int DUPLICATE_KEY = 23505;
    private static final int LOCK_TIMEOUT = 50200;
    private static final int CANCELLED = 57014;

    private static final Map<Integer, Kind> KINDS = Map.ofEntries(
            Map.entry(40001, Kind.CONTENTION), // deadlock
            Map.entry(LOCK_TIMEOUT, Kind.CONTENTION),
            Map.entry(90131, Kind.CONTENTION), // concurrent update
            Map.entry(42102, Kind.MISCONFIGURED), // table not found
            Map.entry(42104, Kind.MISCONFIGURED), // table not found in an empty database
            Map.entry(90013, Kind.MISCONFIGURED), // database not found
            Map.entry(90146, Kind.MISCONFIGURED), // database not found, and not to be created
            Map.entry(90149, Kind.MISCONFIGURED), // database not found, and not to be created remotely
            Map.entry(90079, Kind.MISCONFIGURED), // schema not found
            Map.entry(90096, Kind.MISCONFIGURED), // not enough rights
            Map.entry(28000, Kind.MISCONFIGURED), // wrong user or password
            Map.entry(22001, Kind.MISCONFIGURED), // value too long for the column
            Map.entry(90097, Kind.UNAVAILABLE), // the database is read only
            Map.entry(90020, Kind.UNAVAILABLE), // the file is in use by another process
            Map.entry(CANCELLED, Kind.OUTCOME_UNKNOWN),
            Map.entry(90007, Kind.OUTCOME_UNKNOWN), // the object is closed
            Map.entry(90028, Kind.OUTCOME_UNKNOWN), // I/O error
            Map.entry(90031, Kind.OUTCOME_UNKNOWN), // I/O error
            Map.entry(90067, Kind.OUTCOME_UNKNOWN), // connection is broken
            Map.entry(90098, Kind.OUTCOME_UNKNOWN), // the database has been closed
            Map.entry(90121, Kind.OUTCOME_UNKNOWN)); // the database is being closed

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public Upsert upsert() {
        return Upsert.NONE;
    }

    @Override
    public boolean insertsFirst() {
        return true;
    }

    @Override
    public String now() {
        return "DATEADD(SECOND, DATEDIFF(TIMEZONE_SECOND, CURRENT_TIMESTAMP(9),"
                + " TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'), LOCALTIMESTAMP(9))";
    }

    @Override
    public String startOfStatement() {
        return now();
    }

    @Override
    public String zonedStartOfStatement() {
        return "CURRENT_TIMESTAMP(6)";
    }

    @Override
    public String nowPlus(String micros) {
        return "DATEADD(MICROSECOND, " + micros + ", " + now() + ")";
    }

    @Override
    public String nowMinus(String micros) {
        return "DATEADD(MICROSECOND, -" + micros + ", " + now() + ")";
    }

    @Override
    public String microsBetween(String from, String to) {
        return "DATEDIFF(MICROSECOND, " + from + ", " + to + ")";
    }

    /** {@code DATEDIFF} compares local times, each in its own zone, so both are brought to the same zone. */
    @Override
    public String microsSinceZoned(String time) {
        return microsBetween(time + " AT TIME ZONE 'UTC'", zonedStartOfStatement() + " AT TIME ZONE 'UTC'");
    }

    @Override
    public Returning returning(boolean callers) {
        return Returning.COLUMN;
    }

    /** H2 has no {@code LIMIT} in its Oracle mode. */
    @Override
    public String atMostRows(String limit) {
        return "FETCH FIRST " + limit + " ROWS ONLY";
    }

    /** A query timeout makes H2 compile every statement of the database anew. H2 has its own time limit for locks. */
    @Override
    public TimeLimit timeLimit() {
        return TimeLimit.NONE;
    }

    /** To release a savepoint does nothing here. A constant that is no number would fail in any transaction. */
    @Override
    public Optional<TransactionMark> transactionMark() {
        return Optional.of(new TransactionMark(
                "SET @reservation_batch = TRANSACTION_ID()",
                "SELECT CASE WHEN @reservation_batch = TRANSACTION_ID() THEN 1 ELSE CAST('not ' || @reservation_batch AS INT) END"));
    }

    @Override
    public boolean isDuplicateKey(SQLException e) {
        return e.getErrorCode() == DUPLICATE_KEY;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_TIMEOUT;
    }

    @Override
    public boolean isCancelled(SQLException e) {
        return e.getErrorCode() == CANCELLED;
    }

    @Override
    public Optional<Kind> kindOf(SQLException e) {
        return Optional.ofNullable(KINDS.get(e.getErrorCode()));
    }
}
