// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What one database says differently: fragments of SQL, and what its errors mean.
 *
 * <p>Times are {@code TIMESTAMP}s in UTC, whatever the zone of the JVM, the session or the server. Durations cross the wire
 * as microseconds, in both directions; points in time never do.
 */
public interface Dialect {

    /** How the database takes a free key, or a new one, in one go. */
    enum Upsert {
        /** {@code INSERT … ON CONFLICT DO UPDATE … RETURNING}: a row if the key was granted, or the node lined up. */
        ON_CONFLICT,
        /** {@code INSERT … ON DUPLICATE KEY UPDATE … RETURNING}: always a row, which tells who holds the key. */
        ON_DUPLICATE_KEY,
        /** None that could tell truthfully who won: an {@code UPDATE} of a row, or an {@code INSERT} if there is none. */
        NONE
    }

    /** Who ends a statement that takes too long. */
    enum Limit {
        /** The driver, by the statement's query timeout. */
        DRIVERS,
        /** We do: the driver could, but at a high price. */
        OURS,
        /** Nobody but the database: a limit would be a setting of the whole connection, and stay behind. */
        NONE
    }

    /** Returns the name of the DDL files, and of the argument of the command that prints them. */
    String name();

    /** Returns the command that prints the DDL. */
    default String printCommand() {
        return "java -jar reservation-lock.jar ddl " + name();
    }

    Upsert upsert();

    /** Returns whether a type is what the DDL has for times: one without a zone. */
    default boolean isTimeType(String name) {
        return name.equalsIgnoreCase("TIMESTAMP");
    }

    /** Returns whether a table without a schema in its name may be in another one than the session's. */
    default boolean findsTablesElsewhere() {
        return false;
    }

    /** Returns how many digits of a second a column of that type keeps. */
    default int digitsOfSecond(ResultSetMetaData columns, int column) throws SQLException {
        return columns.getScale(column);
    }

    /** Returns the current time, in UTC. */
    String now();

    /** Returns the time that lies a number of microseconds after now. */
    String nowPlus(String micros);

    /** Returns the time that lies a number of microseconds before now. */
    String nowMinus(String micros);

    /** Returns the microseconds from one time to another, as a whole number. */
    String microsBetween(String from, String to);

    /** Returns the fixed past instant that a released lease ends at; also the one that times are counted from. */
    default String epoch() {
        return "TIMESTAMP '1970-01-01 00:00:00'";
    }

    /** Returns one text behind another. */
    default String concat(String one, String other) {
        return one + " || " + other;
    }

    /** Returns a condition: a text has a part. */
    default String contains(String text, String part) {
        return "INSTR(" + text + ", " + part + ") > 0";
    }

    /** Returns what calls the first in line on a condition, for {@code RETURNING}; or nothing. */
    default Optional<String> call(String condition) {
        return Optional.empty();
    }

    /** Returns what a pattern for keys is compared with. */
    default String keyToSearch() {
        return "reservation_key";
    }

    /** Returns where a row without a table comes from, for a {@code SELECT}; nothing where none need be named. */
    default String fromNowhere() {
        return "";
    }

    /** Returns what goes after the last condition of a {@code SELECT} to have no more rows than that. */
    default String atMostRows(String limit) {
        return "LIMIT " + limit;
    }

    /**
     * Returns whether a session can have {@code =} follow the rules of a language. Then what decides is compared a second
     * time, by its {@linkplain #bytesOf bytes}; and first as it is, for the sake of the index.
     */
    default boolean comparesByLanguage() {
        return false;
    }

    /** Returns a text in a form that is compared byte by byte. */
    default String bytesOf(String text) {
        return text;
    }

    /** Returns a condition that holds if the database keeps one character in the place of several; or nothing. */
    default Optional<String> losesCharacters() {
        return Optional.empty();
    }

    /** Returns a clause that makes the release not wait for its flush to disk, for {@code RETURNING}; or nothing. */
    default Optional<String> relaxedCommit() {
        return Optional.empty();
    }

    /** Returns whether an update that changes nothing may count as no row, so that a zero must be looked at again. */
    default boolean countsChangedRowsOnly() {
        return false;
    }

    /** Returns whether an update can return the fence as a row; if not, it tells it as a generated key. */
    default boolean hasReturning() {
        return false;
    }

    /** Returns the expression for a fence, in a form that makes it a generated key. */
    default String asGeneratedKey(String fence) {
        return fence;
    }

    /** Returns whether a connection can say that it is in autocommit although it belongs to a distributed transaction. */
    default boolean hidesTransactions() {
        return false;
    }

    /** Returns who ends a statement that takes too long. */
    default Limit limit() {
        return Limit.DRIVERS;
    }

    /** Returns whether the row is there already. */
    boolean isDuplicateKey(SQLException e);

    /** Returns whether the statement was given up because another transaction kept a row locked for too long. */
    boolean isLockTimeout(SQLException e);

    /** Returns what the error of this database means, or empty if its SQL state says enough. */
    Optional<Kind> kindOf(SQLException e);
}
