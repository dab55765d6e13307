// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException.Kind;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** MySQL and MariaDB. Only MariaDB has an upsert that returns the row. Errors are recognised by number. */
final class MySqlDialect implements Dialect {

    private static final int DUPLICATE_KEY = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    /** The binary log cannot take a change that is made at READ COMMITTED. */
    private static final int BINLOG_FORMAT = 1665;

    private static final Map<Integer, Kind> KINDS = Map.ofEntries(
            Map.entry(LOCK_WAIT_TIMEOUT, Kind.CONTENTION),
            Map.entry(1213, Kind.CONTENTION), // deadlock
            Map.entry(1020, Kind.CONTENTION), // record has changed since last read
            Map.entry(1044, Kind.MISCONFIGURED), // access to the database denied
            Map.entry(1045, Kind.MISCONFIGURED), // wrong user or password
            Map.entry(1049, Kind.MISCONFIGURED), // unknown database
            Map.entry(1130, Kind.MISCONFIGURED), // this host may not connect
            Map.entry(1142, Kind.MISCONFIGURED), // command denied on the table
            Map.entry(1143, Kind.MISCONFIGURED), // command denied on a column
            Map.entry(1146, Kind.MISCONFIGURED), // no such table
            Map.entry(1267, Kind.MISCONFIGURED), // illegal mix of collations
            Map.entry(1364, Kind.MISCONFIGURED), // a column that is not in the DDL has no default
            Map.entry(1366, Kind.MISCONFIGURED), // a character that the column cannot hold
            Map.entry(1406, Kind.MISCONFIGURED), // value too long for the column
            Map.entry(3819, Kind.MISCONFIGURED), // MySQL: a check constraint, with state HY000
            Map.entry(BINLOG_FORMAT, Kind.MISCONFIGURED),
            Map.entry(1040, Kind.UNAVAILABLE), // too many connections
            Map.entry(1203, Kind.UNAVAILABLE), // too many connections of the user
            Map.entry(1226, Kind.UNAVAILABLE), // the user has used up a resource, with state 42000
            Map.entry(1290, Kind.UNAVAILABLE), // the server is read-only
            Map.entry(1792, Kind.UNAVAILABLE), // the transaction is read-only
            Map.entry(1836, Kind.UNAVAILABLE), // the server runs in read-only mode
            Map.entry(1021, Kind.UNAVAILABLE), // disk full
            Map.entry(1114, Kind.UNAVAILABLE), // table full
            Map.entry(1053, Kind.OUTCOME_UNKNOWN), // server shutdown in progress
            Map.entry(1317, Kind.OUTCOME_UNKNOWN), // query was interrupted
            Map.entry(1969, Kind.OUTCOME_UNKNOWN), // MariaDB: max_statement_time exceeded
            Map.entry(3024, Kind.OUTCOME_UNKNOWN)); // MySQL: maximum execution time exceeded

    private final String product;
    private final Upsert upsert;

    private MySqlDialect(String product, Upsert upsert) {
        this.product = product;
        this.upsert = upsert;
    }

    /** Also for a MariaDB server behind MySQL's driver, which rejects an INSERT that returns rows. */
    static MySqlDialect mySql() {
        return new MySqlDialect("MySQL", Upsert.NONE);
    }

    static MySqlDialect mariaDb() {
        return new MySqlDialect("MariaDB", Upsert.ON_DUPLICATE_KEY);
    }

    @Override
    public String product() {
        return product;
    }

    @Override
    public Upsert upsert() {
        return upsert;
    }

    @Override
    public boolean isTimeType(String name) {
        return name.equalsIgnoreCase("DATETIME");
    }

    /** MySQL's driver reports only the length of the whole time. */
    @Override
    public int digitsOfSecond(ResultSetMetaData columns, int column) throws SQLException {
        int withoutDigits = "2026-11-15 12:00:00.".length();
        return Math.max(columns.getScale(column), columns.getPrecision(column) - withoutDigits);
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String startOfStatement() {
        return now();
    }

    /** In the zone of the session, as a column of type {@code TIMESTAMP} is read and compared. */
    @Override
    public String zonedStartOfStatement() {
        return "CURRENT_TIMESTAMP(6)";
    }

    @Override
    public String nowPlus(String micros) {
        return "UTC_TIMESTAMP(6) + INTERVAL " + micros + " MICROSECOND";
    }

    @Override
    public String nowMinus(String micros) {
        return "UTC_TIMESTAMP(6) - INTERVAL " + micros + " MICROSECOND";
    }

    @Override
    public String microsBetween(String from, String to) {
        return "TIMESTAMPDIFF(MICROSECOND, " + from + ", " + to + ")";
    }

    @Override
    public String microsSinceZoned(String time) {
        return microsBetween(time, zonedStartOfStatement());
    }

    @Override
    public String concat(String one, String other) {
        return "CONCAT(" + one + ", " + other + ")";
    }

    /** Without the index: in an index search for a prefix, MariaDB misses texts that go on with a character beyond U+FFFF. */
    @Override
    public String searchable(String column) {
        return "CONCAT(" + column + ", '')";
    }

    @Override
    public String atMostRows(String limit) {
        return "LIMIT " + limit;
    }

    /** A caller may ask its session for the last generated key, so in its transaction none is made up. */
    @Override
    public Returning returning(boolean callers) {
        return callers ? Returning.NOTHING : Returning.NUMBER;
    }

    @Override
    public String asGeneratedKey(String number) {
        return "LAST_INSERT_ID(" + number + ")";
    }

    @Override
    public Optional<String> byPrimaryKey(String table) {
        return Optional.of(table + " FORCE INDEX (PRIMARY)");
    }

    @Override
    public boolean countsChangedRowsOnly() {
        return true;
    }

    @Override
    public Optional<TransactionMark> transactionMark() {
        return Optional.of(new TransactionMark("SAVEPOINT reservation_batch", "RELEASE SAVEPOINT reservation_batch"));
    }

    @Override
    public boolean isDuplicateKey(SQLException e) {
        return e.getErrorCode() == DUPLICATE_KEY;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT;
    }

    /** MySQL's driver reports the end of its own time limit as an {@link java.sql.SQLTimeoutException}. */
    @Override
    public boolean isCancelled(SQLException e) {
        return "70100".equals(e.getSQLState());
    }

    @Override
    public Optional<Kind> kindOf(SQLException e) {
        return Optional.ofNullable(KINDS.get(e.getErrorCode()));
    }

    @Override
    public Optional<String> remedyOf(SQLException e) {
        return e.getErrorCode() == BINLOG_FORMAT
                ? Optional.of("Set binlog_format of the server to ROW or MIXED:"
                        + " with STATEMENT it refuses changes at READ COMMITTED")
                : Optional.empty();
    }
}
