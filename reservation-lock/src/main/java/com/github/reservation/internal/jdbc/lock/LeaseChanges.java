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
 * Renews and releases leases. One lease is one statement. Many leases are one statement on PostgreSQL, one batch in autocommit on H2, and
 * short transactions on the other databases: each commit waits for the disk, so one for each lease would take many times as long.
 */
final class LeaseChanges {

    /** How many leases one transaction renews or releases: few, because their rows are locked until it ends. */
    private static final int LEASES_IN_A_TRANSACTION = 100;

    private final TableSessions<LockStatements> sessions;
    private final long grace;

    /** Changes leases; a key that becomes free is reserved for its first waiting node for {@code grace} microseconds. */
    LeaseChanges(TableSessions<LockStatements> sessions, long grace) {
        this.sessions = sessions;
        this.grace = grace;
    }

    /** Lets the leases run for a time from now; returns those that exist. */
    Set<LeaseId> renew(Collection<LeaseId> leases, long micros) throws StoreException {
        return change(leases, (session, statements, some) -> some.size() > 1 && statements.several.isPresent()
                ? renewMany(session, statements.several.get(), some, micros)
                : renewEach(session, statements, some, micros));
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

    /**
     * Changes the leases in the order of their keys, so that two calls cannot deadlock. If one transaction of them fails, the earlier ones
     * stand: the caller repeats the whole call, which does no harm.
     */
    private Set<LeaseId> change(Collection<LeaseId> leases, Change change) throws StoreException {
        if (leases.size() == 1) {
            return sessions.use((session, statements) -> change.make(session, statements, List.copyOf(leases)));
        }
        List<LeaseId> ordered = leases.stream().sorted(Comparator.comparing(LeaseId::key)).toList();
        if (!sessions.database().batchesInTransactions()) {
            return sessions.use((session, statements) -> change.make(session, statements, ordered));
        }
        Set<LeaseId> changed = new HashSet<>();
        for (int from = 0; from < ordered.size(); from += LEASES_IN_A_TRANSACTION) {
            List<LeaseId> some = ordered.subList(from, Math.min(from + LEASES_IN_A_TRANSACTION, ordered.size()));
            changed.addAll(sessions.transact((session, statements) -> change.make(session, statements, some)));
        }
        return changed;
    }

    /**
     * Renews all leases in one statement. It may lock the rows in another order than that of the keys: then two renewals of the same
     * leases can deadlock, and one is retried. A release cannot, see releaseMany. To lock the rows in order first takes almost twice
     * as long.
     */
    private Set<LeaseId> renewMany(SqlSession session, SeveralStatements several, List<LeaseId> leases, long micros)
            throws SQLException {
        int renewed = session.update(several.renew(), valuesOf(session, leases, micros));
        return renewed == leases.size() ? new HashSet<>(leases) : find(session, several.findRunning(), leases);
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
                    && JdbcLeases.find(session, statements, lease.key())
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
        Set<LeaseId> released = new HashSet<>(find(session, several.releaseUnlocked(), leases));
        List<LeaseId> others = leases.stream().filter(lease -> !released.contains(lease)).toList();
        if (!others.isEmpty()) {
            for (LeaseId lease : find(session, several.findRunning(), others)) {
                if (session.execute(statements.releasing.release, valuesOf(lease, 0))) {
                    released.add(lease);
                }
            }
        }
        return released;
    }

    /** Executes a statement on many leases that returns some of them. */
    private Set<LeaseId> find(SqlSession session, SqlStatement sql, List<LeaseId> leases) throws SQLException {
        return Set.copyOf(session.query(
                sql, valuesOf(session, leases, 0), row -> new LeaseId(row.getString(1), row.getString(2))));
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

    private LockValues valuesOf(LeaseId lease, long micros) {
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
