// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what an {@link SQLException} means: by type, SQL state or vendor code, never by message. If the error does not say enough,
 * it is {@code OUTCOME_UNKNOWN}: to look again is always right.
 */
public final class SqlFailures {

    /** By the class of the SQL state, its first two characters. */
    private static final Map<String, Kind> KIND_OF_CLASS = Map.ofEntries(
            Map.entry("08", Kind.OUTCOME_UNKNOWN), // connection exception
            Map.entry("0A", Kind.MISCONFIGURED), // feature not supported
            Map.entry("22", Kind.MISCONFIGURED), // data exception: a column that is too short or of another type
            Map.entry("23", Kind.MISCONFIGURED), // integrity constraint; a duplicate key is handled before
            Map.entry("28", Kind.MISCONFIGURED), // invalid authorization
            Map.entry("3D", Kind.MISCONFIGURED), // invalid catalog name
            Map.entry("3F", Kind.MISCONFIGURED), // invalid schema name
            Map.entry("40", Kind.CONTENTION), // transaction rollback
            Map.entry("42", Kind.MISCONFIGURED), // syntax error, missing table, missing grant
            Map.entry("53", Kind.UNAVAILABLE)); // insufficient resources

    /** In class 40, but the transaction may have committed. CockroachDB says so, which calls itself PostgreSQL. */
    private static final String COMPLETION_UNKNOWN = "40003";

    /** No such user or database. */
    private static final Set<String> WRONG_ADDRESS_CLASSES = Set.of("28", "3D");

    /** On PostgreSQL: the user may not connect to the database. */
    private static final String NO_PRIVILEGE = "42501";

    private SqlFailures() {}

    /**
     * Returns what a failed statement means.
     *
     * @param dialect null if it is not known yet
     */
    public static Kind kindOf(SQLException e, @Nullable Dialect dialect) {
        return dialect == null ? kindOf(e) : dialect.kindOf(e).orElseGet(() -> kindOf(e));
    }

    /**
     * Says that a statement failed.
     *
     * @param hint what may be wrong, if the database is misconfigured and the dialect knows no remedy
     */
    public static StoreException of(SQLException e, Dialect dialect, String what, Supplier<String> hint) {
        Kind kind = kindOf(e, dialect);
        String remedy = kind == Kind.MISCONFIGURED ? ". " + dialect.remedyOf(e).orElseGet(hint) : "";
        return new StoreException(kind, what + ": " + e.getMessage() + remedy, e);
    }

    /** Returns what a failed attempt to get a connection means. The dialect need not be known yet. */
    static Kind kindOfConnecting(SQLException e) {
        // A pool wraps the exception of the driver.
        for (Throwable cause : e) {
            if (cause instanceof SQLException sql && isWrongAddress(sql)) {
                return Kind.MISCONFIGURED;
            }
        }
        return Kind.UNAVAILABLE;
    }

    /**
     * Says that a connection failed before the operation was sent. Unless the database says why, another connection may work at
     * once.
     *
     * @param dialect null if it is not known yet
     */
    static StoreException nothingSent(Exception e, @Nullable Dialect dialect) {
        Kind kind = e instanceof SQLException sql ? kindOf(sql, dialect) : Kind.OUTCOME_UNKNOWN;
        return new StoreException(
                kind == Kind.OUTCOME_UNKNOWN ? Kind.CONTENTION : kind,
                "A connection to the database failed: " + e.getMessage(),
                e);
    }

    private static boolean isWrongAddress(SQLException e) {
        return WRONG_ADDRESS_CLASSES.contains(classOf(e))
                || NO_PRIVILEGE.equals(e.getSQLState())
                || Dialects.all().stream()
                        .anyMatch(dialect -> dialect.kindOf(e)
                                .filter(kind -> kind == Kind.MISCONFIGURED)
                                .isPresent());
    }

    /** Returns what a failure means as far as one can tell without the database. */
    static Kind kindOf(SQLException e) {
        if (COMPLETION_UNKNOWN.equals(e.getSQLState())) {
            return Kind.OUTCOME_UNKNOWN;
        }
        if (e instanceof SQLTransactionRollbackException) {
            return Kind.CONTENTION;
        }
        if (e instanceof SQLSyntaxErrorException) {
            return Kind.MISCONFIGURED; // H2 has its own state for an unknown function.
        }
        return KIND_OF_CLASS.getOrDefault(classOf(e), Kind.OUTCOME_UNKNOWN);
    }

    private static String classOf(SQLException e) {
        String state = e.getSQLState();
        return state == null || state.length() < 2 ? "" : state.substring(0, 2);
    }
}
