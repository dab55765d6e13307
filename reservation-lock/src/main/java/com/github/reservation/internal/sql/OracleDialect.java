// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException.Kind;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Oracle. Errors are recognised by their ORA number, because the SQL states say little: a deadlock is 61000, a serialization
 * failure 72000.
 *
 * <p>Oracle's {@code MERGE} is no upsert for us: one of two that merge the same new key at once fails, and it cannot return a
 * column.
 */
final class OracleDialect implements Dialect {

    private static final int DUPLICATE_KEY = 1;
    private static final int CANCELLED = 1013;

    /** Resource busy; locked by a distributed transaction; resource busy after a wait. */
    private static final Set<Integer> LOCK_TIMEOUTS = Set.of(54, 2049, 30006);

    /** The errors whose SQL state says too little or the wrong thing. */
    private static final Map<Integer, Kind> KINDS = Map.ofEntries(
            Map.entry(54, Kind.CONTENTION), // resource busy
            Map.entry(60, Kind.CONTENTION), // deadlock
            Map.entry(1555, Kind.CONTENTION), // snapshot too old
            Map.entry(2049, Kind.CONTENTION), // lock timeout; with a state for wrong syntax
            Map.entry(4020, Kind.CONTENTION), // deadlock on an object of the library
            Map.entry(4021, Kind.CONTENTION), // timeout on an object of the library
            Map.entry(8176, Kind.CONTENTION), // cannot continue consistent read
            Map.entry(8177, Kind.CONTENTION), // cannot serialize access
            Map.entry(12860, Kind.CONTENTION), // deadlock with another process of a parallel statement
            Map.entry(30006, Kind.CONTENTION), // resource busy, the wait is over
            Map.entry(1017, Kind.MISCONFIGURED), // wrong user or password
            Map.entry(1045, Kind.MISCONFIGURED), // the user may not create a session
            Map.entry(1407, Kind.MISCONFIGURED), // a column cannot be null
            Map.entry(1502, Kind.MISCONFIGURED), // an index is unusable until it is rebuilt
            Map.entry(4063, Kind.MISCONFIGURED), // a view or package has errors
            Map.entry(4098, Kind.MISCONFIGURED), // a trigger is invalid
            Map.entry(12899, Kind.MISCONFIGURED), // value too long for the column
            Map.entry(14400, Kind.MISCONFIGURED), // no partition for the key
            Map.entry(17068, Kind.MISCONFIGURED), // from the driver: it finds no column for the generated key
            Map.entry(28000, Kind.MISCONFIGURED), // the account is locked
            Map.entry(28001, Kind.MISCONFIGURED), // the password has expired
            Map.entry(41900, Kind.MISCONFIGURED), // a privilege is missing, since version 23
            Map.entry(257, Kind.UNAVAILABLE), // the archiver is stuck, mostly on a full disk
            Map.entry(1456, Kind.UNAVAILABLE), // the transaction is read only
            Map.entry(1536, Kind.UNAVAILABLE), // the quota is used up
            Map.entry(1591, Kind.UNAVAILABLE), // the row is locked by a distributed transaction in doubt
            Map.entry(1653, Kind.UNAVAILABLE), // the table cannot grow
            Map.entry(1654, Kind.UNAVAILABLE), // the index cannot grow
            Map.entry(1658, Kind.UNAVAILABLE), // the table cannot get the space for its first row
            Map.entry(1683, Kind.UNAVAILABLE), // the partition of the index cannot grow
            Map.entry(1688, Kind.UNAVAILABLE), // the partition cannot grow
            Map.entry(4031, Kind.UNAVAILABLE), // out of shared memory
            Map.entry(16000, Kind.UNAVAILABLE), // open for reading only: a standby
            Map.entry(30036, Kind.UNAVAILABLE)); // the undo tablespace cannot grow

    @Override
    public String product() {
        return "Oracle";
    }

    @Override
    public Upsert upsert() {
        return Upsert.NONE;
    }

    /** A driver may include the digits of a second in the name. */
    @Override
    public boolean isTimeType(String name) {
        return name.startsWith("TIMESTAMP") && !name.contains("ZONE");
    }

    /** What a driver reports for {@code TIMESTAMP(6)} is not tested: only a number that is surely less counts as less. */
    @Override
    public int digitsOfSecond(ResultSetMetaData columns, int column) throws SQLException {
        int reported = columns.getScale(column);
        return reported > 0 ? reported : 6;
    }

    /** By a synonym. */
    @Override
    public boolean findsTablesElsewhere() {
        return true;
    }

    @Override
    public String now() {
        return "SYS_EXTRACT_UTC(SYSTIMESTAMP)";
    }

    @Override
    public String startOfStatement() {
        return now();
    }

    @Override
    public String zonedStartOfStatement() {
        return "SYSTIMESTAMP";
    }

    /** A product, not a quotient: H2, on which the statements are tested, would drop the remainder. */
    @Override
    public String nowPlus(String micros) {
        return now() + " + NUMTODSINTERVAL(" + micros + " * 0.000001, 'SECOND')";
    }

    @Override
    public String nowMinus(String micros) {
        return now() + " - NUMTODSINTERVAL(" + micros + " * 0.000001, 'SECOND')";
    }

    @Override
    public String microsBetween(String from, String to) {
        return from.equals(epoch()) ? microsOf(to) : microsOf(to) + " - (" + microsOf(from) + ")";
    }

    @Override
    public String microsSinceZoned(String time) {
        return microsBetween("SYS_EXTRACT_UTC(" + time + ")", now());
    }

    /** Whole days since the epoch, plus the microseconds of the day: neither depends on the session's settings. */
    private String microsOf(String time) {
        return "EXTRACT(DAY FROM " + time + " - " + epoch() + ") * 86400000000 + CAST(TO_CHAR(" + time
                + ", 'SSSSSFF6') AS NUMBER(11))";
    }

    @Override
    public String fromNowhere() {
        return " FROM dual";
    }

    /** Works on versions that have no {@code FETCH FIRST}, too. */
    @Override
    public String atMostRows(String limit) {
        return "  AND ROWNUM <= " + limit;
    }

    /** {@code ROWNUM} counts before the rows are sorted, so the sorting is inside. */
    @Override
    public String firstRows(String sorted, String limit) {
        return "SELECT *\nFROM (\n" + sorted + ")\nWHERE ROWNUM <= " + limit;
    }

    @Override
    public Returning returning(boolean callers) {
        return Returning.COLUMN;
    }

    /** After {@code ALTER SESSION SET NLS_COMP = LINGUISTIC}, which an earlier user of a pooled connection may have run. */
    @Override
    public boolean comparesByLanguage() {
        return true;
    }

    @Override
    public String bytesOf(String text) {
        return "NLSSORT(" + text + ", 'NLS_SORT = BINARY')";
    }

    /** In another character set than AL32UTF8, the driver replaces each missing letter by the same question mark. */
    @Override
    public Optional<String> losesCharacters() {
        return Optional.of(bytesOf("TO_CHAR(UNISTR('\\4E2D'))") + " = " + bytesOf("TO_CHAR(UNISTR('\\0416'))"));
    }

    @Override
    public boolean isDuplicateKey(SQLException e) {
        return e.getErrorCode() == DUPLICATE_KEY;
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_TIMEOUTS.contains(e.getErrorCode());
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
