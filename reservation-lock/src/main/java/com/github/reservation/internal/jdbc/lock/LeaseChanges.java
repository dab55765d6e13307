// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Renews and releases leases, many of them in the order of their keys. One lease is one statement. Many leases are one statement on
 * PostgreSQL, and a batch elsewhere. MySQL and MariaDB renew them in one statement for each hundred.
 *
 * <p>All of it is in autocommit: a transaction of a process that hangs or is cut off would keep its rows locked, even after the leases ended.
 */
final class LeaseChanges {

    private final TableSessions<LockStatements> sessions;
    private final long grace;

    /** Changes leases; a key that becomes free is reserved for its first waiting node for {@code grace} microseconds. */
    LeaseChanges(TableSessions<LockStatements> sessions, long grace) {
        this.sessions = sessions;
        this.grace = grace;
    }

    /** Lets the leases run for a time from now; returns those that exist. */
    Set<LeaseId> renew(Collection<LeaseId> leases, long micros) throws StoreException {
        return change(leases, (session, statements, some) -> {
            if (some.size() > 1 && statements.several.isPresent()) {
                return renewMany(session, statements.several.get(), some, micros);
            }
            return some.size() > 1 && statements.renewalLists.isPresent()
                    ? renewLists(session, statements, statements.renewalLists.get(), some, micros)
                    : renewEach(session, statements, some, micros);
        });
    }

    /** Ends the leases; returns those that existed. */
    Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return change(leases, (session, statements, some) -> statements.several.isPresent()
                ? releaseMany(session, statements, statements.several.get(), some)
                : updateEach(session, statements.releasing.release, some, 0));
    }

    /** Renews or releases leases. */
    @FunctionalInterface
    private interface Change {
        Set<LeaseId> make(SqlSession session, LockStatements statements, List<LeaseId> leases) throws SQLException;
    }

    private Set<LeaseId> change(Collection<LeaseId> leases, Change change) throws StoreException {
        List<LeaseId> ordered = leases.size() == 1
                ? List.copyOf(leases)
                : leases.stream().sorted(Comparator.comparing(LeaseId::key)).toList();
        return sessions.use((session, statements) -> change.make(session, statements, ordered));
    }

    /**
     * Renews all leases in one statement. It may lock the rows in another order than that of the keys: then two renewals of the same
     * leases can deadlock, and one is retried. A release cannot, see releaseMany. To lock the rows in order first takes almost twice
     * as long.
     */
    private Set<LeaseId> renewMany(SqlSession session, SeveralStatements several, List<LeaseId> leases, long micros)
            throws SQLException {
        int renewed = session.update(several.renew(), valuesOf(session, leases, micros));
        return renewed == leases.size()
                ? Set.copyOf(leases)
                : find(session, several.renewReturning(), leases, micros);
    }

    /**
     * Renews the leases in lists. If a lease of a list is lost, those of the list are renewed one by one: the database does not return
     * which rows an update has found. A statement locks the rows in the order of the primary key, so two of them cannot deadlock.
     */
    private Set<LeaseId> renewLists(
            SqlSession session, LockStatements statements, RenewalLists lists, List<LeaseId> leases, long micros)
            throws SQLException {
        Set<LeaseId> renewed = new HashSet<>();
        for (int from = 0; from < leases.size(); from += RenewalLists.LONGEST) {
            List<LeaseId> list = leases.subList(from, Math.min(leases.size(), from + RenewalLists.LONGEST));
            int count = session.update(lists.renew(list.size()), RenewalLists.valuesOf(list, micros));
            renewed.addAll(count == list.size() ? list : renewEach(session, statements, list, micros));
        }
        return renewed;
    }

    private Set<LeaseId> renewEach(
            SqlSession session, LockStatements statements, List<LeaseId> leases, long micros) throws SQLException {
        Set<LeaseId> renewed = updateEach(session, statements.renew, leases, micros);
        if (session.dialect().countsChangedRowsOnly()) {
            addUnchanged(session, statements, leases, renewed);
        }
        return renewed;
    }

    /** Adds the leases that exist although the statement did not change their rows: they end later than was asked for. */
    private static void addUnchanged(
            SqlSession session, LockStatements statements, Collection<LeaseId> leases, Set<LeaseId> renewed)
            throws SQLException {
        for (LeaseId lease : leases) {
            if (!renewed.contains(lease)
                    && JdbcLeases.find(session, statements.find, lease.key())
                            .filter(found -> found.id().equals(lease))
                            .isPresent()) {
                renewed.add(lease);
            }
        }
    }

    /**
     * Releases all leases in one statement that waits for no lock. Rows that were locked then are released one by one: a statement that
     * waits for one row and holds no other cannot be part of a deadlock.
     */
    private Set<LeaseId> releaseMany(SqlSession session, LockStatements statements, SeveralStatements several,
            List<LeaseId> leases) throws SQLException {
        Set<LeaseId> released = new HashSet<>(find(session, several.releaseUnlocked(), leases, 0));
        List<LeaseId> others = leases.stream().filter(lease -> !released.contains(lease)).toList();
        if (!others.isEmpty()) {
            for (LeaseId lease : find(session, several.findRunning(), others, 0)) {
                if (session.execute(statements.releasing.release, valuesOf(lease, 0))) {
                    released.add(lease);
                }
            }
        }
        return released;
    }

    /** Executes a statement on many leases that returns some of them. */
    private Set<LeaseId> find(SqlSession session, SqlStatement sql, List<LeaseId> leases, long micros)
            throws SQLException {
        return Set.copyOf(session.query(
                sql, valuesOf(session, leases, micros), row -> new LeaseId(row.getString(1), row.getString(2))));
    }

    private SqlStatement.Values valuesOf(SqlSession session, List<LeaseId> leases, long micros) throws SQLException {
        // Of strings, not of objects: PostgreSQL's driver sends those as bytes, and does not have to quote them.
        String[] keys = leases.stream().map(LeaseId::key).toArray(String[]::new);
        String[] holders = leases.stream().map(LeaseId::holder).toArray(String[]::new);
        Array keyArray = session.connection().createArrayOf("text", keys);
        Array holderArray = session.connection().createArrayOf("text", holders);
        LockValues others = LockValues.of("", "", micros).withGrace(grace);
        return (statement, index, parameter) -> {
            switch (parameter) {
                case "keys" -> statement.setArray(index, keyArray);
                case "holders" -> statement.setArray(index, holderArray);
                default -> others.set(statement, index, parameter);
            }
        };
    }

    LockValues valuesOf(LeaseId lease, long micros) {
        return LockValues.of(lease.key(), lease.holder(), micros).withGrace(grace);
    }

    /** Executes the statement for each lease, as one batch; returns the leases whose rows it changed. */
    private Set<LeaseId> updateEach(SqlSession session, SqlStatement sql, List<LeaseId> leases, long micros)
            throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            for (LeaseId lease : leases) {
                sql.bind(statement, valuesOf(lease, micros));
                if (leases.size() == 1) {
                    return statement.executeUpdate() > 0 ? new HashSet<>(leases) : new HashSet<>();
                }
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            Set<LeaseId> updated = new HashSet<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    updated.add(leases.get(i));
                }
            }
            return updated;
        }
    }
}
