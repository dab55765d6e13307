// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link SQLException} means for the core: by type, SQL state or vendor code, never by message. Where a database
 * does not say enough the answer is {@code OUTCOME_UNKNOWN}: to look is always right.
 */
public final class SqlFailures {

    /** By the class of the SQL state, its first two characters. */
    private static final Map<String, Kind> KIND_OF_CLASS = Map.ofEntries(
            Map.entry("08", Kind.OUTCOME_UNKNOWN), // connection exception
            Map.entry("0A", Kind.MISCONFIGURED), // feature not supported
            Map.entry("22", Kind.MISCONFIGURED), // data exception: a column that is too short or of another type
            Map.entry("23", Kind.MISCONFIGURED), // integrity constraint: not ours, ours is looked at before
            Map.entry("28", Kind.MISCONFIGURED), // invalid authorization
            Map.entry("3D", Kind.MISCONFIGURED), // invalid catalog name
            Map.entry("3F", Kind.MISCONFIGURED), // invalid schema name
            Map.entry("40", Kind.CONTENTION), // transaction rollback
            Map.entry("42", Kind.MISCONFIGURED), // syntax error, missing table, missing grant
            Map.entry("53", Kind.UNAVAILABLE)); // insufficient resources

    /** Of the class of what was undone, but not undone for sure. CockroachDB says so, which calls itself PostgreSQL. */
    private static final String COMPLETION_UNKNOWN = "40003";

    /** No such user or database. */
    private static final Set<String> WRONG_PLACE_CLASSES = Set.of("28", "3D");

    /** PostgreSQL, to a user that may not connect to the database. */
    private static final String NO_PRIVILEGE = "42501";

    private SqlFailures() {}

    /** Returns what a failed statement means. */
    public static Kind kindOf(SQLException e, Dialect dialect) {
        return dialect.kindOf(e).orElseGet(() -> kindOf(e));
    }

    /** Returns what a failed attempt to get a connection means: nothing was done. The database need not be known yet. */
    static Kind kindOfConnecting(SQLException e) {
        // A pool wraps what the driver said.
        for (Throwable said : e) {
            if (said instanceof SQLException sql && isWrongPlace(sql)) {
                return Kind.MISCONFIGURED;
            }
        }
        return Kind.UNAVAILABLE;
    }

    /**
     * Says that a connection failed before the operation was asked for. Unless the database says why, it may work at once on
     * another connection. The database need not be known yet.
     */
    static StoreException nothingAsked(Exception e, @Nullable Dialect dialect) {
        Kind kind = Kind.OUTCOME_UNKNOWN;
        if (e instanceof SQLException said) {
            kind = dialect == null ? kindOf(said) : kindOf(said, dialect);
        }
        return new StoreException(
                kind == Kind.OUTCOME_UNKNOWN ? Kind.CONTENTION : kind,
                "A connection to the database failed: " + e.getMessage(),
                e);
    }

    private static boolean isWrongPlace(SQLException e) {
        return WRONG_PLACE_CLASSES.contains(classOf(e))
                || NO_PRIVILEGE.equals(e.getSQLState())
                || Dialects.all().stream()
                        .anyMatch(dialect -> dialect.kindOf(e)
                                .filter(kind -> kind == Kind.MISCONFIGURED)
                                .isPresent());
    }

    private static Kind kindOf(SQLException e) {
        if (COMPLETION_UNKNOWN.equals(e.getSQLState())) {
            return Kind.OUTCOME_UNKNOWN;
        }
        if (e instanceof SQLTransactionRollbackException) {
            return Kind.CONTENTION;
        }
        if (e instanceof SQLSyntaxErrorException) {
            return Kind.MISCONFIGURED; // Also with a state of its own, as H2's for a function that it does not have.
        }
        return KIND_OF_CLASS.getOrDefault(classOf(e), Kind.OUTCOME_UNKNOWN);
    }

    private static String classOf(SQLException e) {
        String state = e.getSQLState();
        return state == null || state.length() < 2 ? "" : state.substring(0, 2);
    }
}
