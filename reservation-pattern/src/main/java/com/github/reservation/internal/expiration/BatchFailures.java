// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.expiration.jdbc.TableRows;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Says what the failure of a batch means: try again, look for the row that fails, or end the run. */
final class BatchFailures {

    /** Classes of SQL states that say that the values of a row are wrong, and not the statement. */
    private static final Set<String> WRONG_DATA = Set.of("22", "23");

    /**
     * Classes of SQL states with which a database refuses a commit, or what a framework writes right before it. So it is known that
     * nothing was committed.
     */
    private static final Set<String> REFUSED = Set.of("22", "23", "25", "44", "45", "P0");

    /** A chain of causes may be a circle. */
    private static final int LONGEST_CHAIN = 20;

    private final TableRows rows;

    BatchFailures(TableRows rows) {
        this.rows = rows;
    }

    /** Returns whether another transaction was in the way. A lock timeout is not contention: the same row can block again. */
    boolean isContention(Throwable e) {
        return kindOf(e).filter(kind -> kind == Kind.CONTENTION).isPresent();
    }

    /** Returns whether a change of the status, or an event, failed for a reason that is not one of its rows. */
    boolean isAboutNoRow(Throwable e) {
        Kind kind = kindOf(e).orElse(Kind.OUTCOME_UNKNOWN);
        return kind == Kind.UNAVAILABLE || (kind == Kind.MISCONFIGURED && !WRONG_DATA.contains(stateClassOf(e)));
    }

    /**
     * Returns whether nothing was committed. A framework refuses a commit itself if a transaction is marked to be rolled back, or an
     * entity is invalid. Should a batch be committed nevertheless, its rows are not overdue any more when it is tried again.
     */
    boolean isRefused(Throwable e) {
        return kindOf(e).isEmpty() || REFUSED.contains(stateClassOf(e)) || isRaisedOnOracle(e);
    }

    /** Returns whether a trigger or a procedure of Oracle raised it: ORA-20000 to ORA-20999. */
    private static boolean isRaisedOnOracle(Throwable e) {
        return chain(e).anyMatch(cause -> cause instanceof SQLException sql
                && "72000".equals(sql.getSQLState()) && sql.getErrorCode() / 1_000 == 20);
    }

    static StoreException unknown(Throwable e) {
        return new StoreException(
                Kind.OUTCOME_UNKNOWN,
                "It is not known whether a batch was committed. The next run goes on with what is left: "
                        + e.getMessage(),
                e);
    }

    private Optional<Kind> kindOf(Throwable e) {
        return chain(e)
                .filter(cause -> cause instanceof StoreException || cause instanceof SQLException)
                .findFirst()
                .map(cause -> cause instanceof StoreException store ? store.kind() : rows.kindOf((SQLException) cause));
    }

    private static String stateClassOf(Throwable e) {
        return chain(e)
                .filter(SQLException.class::isInstance)
                .map(cause -> ((SQLException) cause).getSQLState())
                .filter(state -> state != null && state.length() >= 2)
                .map(state -> state.substring(0, 2))
                .findFirst()
                .orElse("");
    }

    /** Returns a failure and its causes. */
    static Stream<Throwable> chain(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause).limit(LONGEST_CHAIN);
    }
}
