// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException.Kind;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/**
 * What is different in one database: fragments of SQL, and what its errors mean. It knows no table.
 *
 * <p>Times are {@code TIMESTAMP}s in UTC, whatever the zone of the JVM, the session or the server. Durations are sent and read as
 * microseconds; points in time are never sent or read.
 */
public interface Dialect {

    /** How one statement inserts a row, or updates the row that is there. */
    enum Upsert {
        /** {@code INSERT … ON CONFLICT DO UPDATE … RETURNING}: returns a row only if it inserted or updated one. */
        ON_CONFLICT,
        /** {@code INSERT … ON DUPLICATE KEY UPDATE … RETURNING}: always returns the row. */
        ON_DUPLICATE_KEY,
        /** No upsert reports reliably what it did: an {@code UPDATE}, then an {@code INSERT} if there is no row. */
        NONE
    }

    /** How an update returns the new value of a column. */
    enum Returning {
        /** {@code UPDATE … RETURNING}: as a row. */
        ROW,
        /** As a generated key: a number that is written as {@link #asGeneratedKey}. */
        NUMBER,
        /** As a column that the driver returns as if it were generated. */
        COLUMN,
        /** Not at all, so the row is read: only in a caller's transaction. */
        NOTHING
    }

    /** What ends a statement that takes too long. */
    enum TimeLimit {
        /** The driver, by the statement's query timeout; the {@link StatementWatch} if that does not help. */
        DRIVER,
        /** The {@link StatementWatch}: the query timeout of this driver is expensive. */
        WATCH,
        /** Only the database itself: a query timeout would be a setting of the connection, and stay after the statement. */
        NONE
    }

    /**
     * How to notice that a transaction was rolled back under its user, as some databases do after a deadlock: the next statement begins
     * a new one there.
     *
     * @param set a statement for the transaction
     * @param check a statement that fails later if it is executed in another transaction
     */
    record TransactionMark(String set, String check) {}

    /** Returns the name of the database, as its driver reports it. */
    String product();

    /** Returns the name of the DDL files, and of the argument of the command that prints them. */
    default String name() {
        return product().toLowerCase(Locale.ROOT);
    }

    /** Returns the command that prints the DDL. */
    default String printCommand() {
        return "java -jar reservation-lock.jar ddl " + name();
    }

    /** Returns how the database inserts or updates in one statement. */
    Upsert upsert();

    /**
     * Returns whether to insert before it updates, where there is no upsert and the row is probably new. Only where an insert in vain
     * locks nothing: on MySQL two of them deadlock with the updates that follow.
     */
    default boolean insertsFirst() {
        return false;
    }

    /** Returns whether a type is the one that the DDL uses for times: one without a zone. */
    default boolean isTimeType(String name) {
        return name.equalsIgnoreCase("TIMESTAMP");
    }

    /** Returns whether a table name without a schema can mean a table in another schema than the session's. */
    default boolean findsTablesElsewhere() {
        return false;
    }

    /** Returns how many decimal digits of a second a column keeps. */
    default int digitsOfSecond(ResultSetMetaData columns, int column) throws SQLException {
        return columns.getScale(column);
    }

    /** Returns the current time, in UTC. */
    String now();

    /** Returns the time at which the statement began, in UTC: the same for all of its rows. */
    String startOfStatement();

    /** Returns the time at which the statement began, as one with a zone. */
    String zonedStartOfStatement();

    /** Returns the time that lies a number of microseconds after now. */
    String nowPlus(String micros);

    /** Returns the time that lies a number of microseconds before the statement began. */
    String nowMinus(String micros);

    /** Returns the microseconds from one time to another, as a whole number. */
    String microsBetween(String from, String to);

    /** Returns the microseconds from a time with a zone to now, as a whole number. */
    String microsSinceZoned(String time);

    /** Returns the start of 1970, from which {@link #microsBetween} can count. */
    default String epoch() {
        return "TIMESTAMP '1970-01-01 00:00:00'";
    }

    /** Returns two texts, one after the other. */
    default String concat(String one, String other) {
        return one + " || " + other;
    }

    /** Returns the condition that a text contains a part. */
    default String contains(String text, String part) {
        return "INSTR(" + text + ", " + part + ") > 0";
    }

    /**
     * Returns an expression for {@code RETURNING} that sends a notification if the condition holds; empty if the database has
     * no notifications. {@link PostgreSqlListener} receives it.
     *
     * @param channel {@link PostgreSqlListener#everyListener} or {@link PostgreSqlListener#listenerAt}
     * @param address the first part of the payload
     * @param secret a text whose SHA-256, in hex, is the second part: everyone who may connect can read a payload
     */
    default Optional<String> notifyIf(String condition, String channel, String address, String secret) {
        return Optional.empty();
    }

    /** Returns a column in the form in which {@code LIKE} must compare it. */
    default String searchable(String column) {
        return column;
    }

    /** Returns the {@code FROM} of a {@code SELECT} that reads no table; nothing if it needs none. */
    default String fromNowhere() {
        return "";
    }

    /** Returns the clause after the last condition of a {@code SELECT} that limits the number of rows. */
    String atMostRows(String limit);

    /** Returns a {@code SELECT} that is sorted, limited to its first rows. */
    default String firstRows(String sorted, String limit) {
        return sorted + atMostRows(limit);
    }

    /**
     * Returns whether a session can be set so that {@code =} follows the rules of a language. Then a statement compares twice:
     * plainly, so that the database uses the index, and by {@linkplain #bytesOf bytes}.
     */
    default boolean comparesByLanguage() {
        return false;
    }

    /** Returns a text in a form that is compared byte by byte. */
    default String bytesOf(String text) {
        return text;
    }

    /** Returns a condition that holds if the database's character set lacks characters; empty if it cannot. */
    default Optional<String> losesCharacters() {
        return Optional.empty();
    }

    /** Returns an expression for {@code RETURNING} that lets the commit not wait for the disk; empty if there is none. */
    default Optional<String> relaxedCommit() {
        return Optional.empty();
    }

    /**
     * Returns a condition that always holds, and lets the statement fail if it waits for a locked row for more than a moment; empty if
     * the database has none. Unlike a time limit it does not end a commit that waits for a disk or a replica.
     */
    default Optional<String> lockWait() {
        return Optional.empty();
    }

    /** Returns whether an update that sets the same values may count 0 rows, so that a 0 must be checked by a read. */
    default boolean countsChangedRowsOnly() {
        return false;
    }

    /** Returns how an update returns the new value of a column: in a caller's transaction, or in one of the library. */
    Returning returning(boolean callers);

    /** Returns whether an update returns columns as a row. */
    default boolean hasReturning() {
        return returning(false) == Returning.ROW;
    }

    /** Returns arrays of texts side by side, as what {@code FROM} reads rows of; empty if one parameter cannot be an array. */
    default Optional<String> rowsOf(String... arrays) {
        return Optional.empty();
    }

    /**
     * Returns a table in the form in which an update finds its rows by the primary key alone. Otherwise the optimizer may prefer to read,
     * and so to lock, all rows of a small table. Empty if the database has no such form.
     */
    default Optional<String> byPrimaryKey(String table) {
        return Optional.empty();
    }

    /** Returns a number in the form that makes it the generated key of an update. */
    default String asGeneratedKey(String number) {
        return number;
    }

    /**
     * Returns how to notice that a transaction was rolled back; empty if the database rolls nothing but the statement back, or refuses
     * all further statements.
     */
    default Optional<TransactionMark> transactionMark() {
        return Optional.empty();
    }

    /** Returns whether a connection can report autocommit although it belongs to a distributed transaction. */
    default boolean hidesTransactions() {
        return false;
    }

    /** Returns what ends a statement that takes too long. */
    default TimeLimit timeLimit() {
        return TimeLimit.DRIVER;
    }

    /** Returns whether an insert failed because the row exists. */
    boolean isDuplicateKey(SQLException e);

    /** Returns whether the statement failed because another transaction kept a row locked for too long. */
    boolean isLockTimeout(SQLException e);

    /** Returns whether the statement was cancelled, as a rule because of its time limit. */
    boolean isCancelled(SQLException e);

    /** Returns what an error of this database means; empty if its SQL state says enough. */
    Optional<Kind> kindOf(SQLException e);

    /** Returns what to set so that an error does not come again; empty if a table or a grant may be the reason. */
    default Optional<String> remedyOf(SQLException e) {
        return Optional.empty();
    }
}
