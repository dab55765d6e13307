// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Renews and releases leases, many of them in the order of their keys. A release of many leases is one statement on PostgreSQL, and a
 * batch elsewhere; {@link LeaseRenewals} has the renewals.
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

    /** Lets the leases run for a time from now. */
    Renewal renew(Collection<LeaseId> leases, long micros) throws StoreException {
        List<LeaseId> ordered = ordered(leases);
        return sessions.use((session, statements) -> new LeaseRenewals(session, statements, micros).renew(ordered));
    }

    /** Ends the leases; returns those that existed. */
    Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        List<LeaseId> ordered = ordered(leases);
        return sessions.use((session, statements) -> statements.several.isPresent()
                ? releaseMany(session, statements, statements.several.get(), ordered)
                : releaseEach(session, statements.releasing.release, ordered));
    }

    private static List<LeaseId> ordered(Collection<LeaseId> leases) {
        return leases.size() == 1
                ? List.copyOf(leases)
                : leases.stream().sorted(Comparator.comparing(LeaseId::key)).toList();
    }

    /**
     * Releases all leases in one statement that waits for no lock. Rows that were locked then are released one by one: a statement that
     * waits for one row and holds no other cannot be part of a deadlock.
     */
    private Set<LeaseId> releaseMany(SqlSession session, LockStatements statements, SeveralStatements several,
            List<LeaseId> leases) throws SQLException {
        LockValues values = LockValues.of("").withGrace(grace);
        Set<LeaseId> released =
                new HashSet<>(SeveralStatements.find(session, several.releaseUnlocked(), leases, values));
        List<LeaseId> others = leases.stream().filter(lease -> !released.contains(lease)).toList();
        if (!others.isEmpty()) {
            for (LeaseId lease : SeveralStatements.find(session, several.findRunning(), others, values)) {
                if (session.execute(statements.releasing.release, valuesOf(lease, 0))) {
                    released.add(lease);
                }
            }
        }
        return released;
    }

    LockValues valuesOf(LeaseId lease, long micros) {
        return LockValues.of(lease.key(), lease.holder(), micros).withGrace(grace);
    }

    /** Releases each lease, as one batch. */
    private Set<LeaseId> releaseEach(SqlSession session, SqlStatement sql, List<LeaseId> leases) throws SQLException {
        try (PreparedStatement statement = session.prepareBatch(sql, leases.size())) {
            for (LeaseId lease : leases) {
                sql.bind(statement, valuesOf(lease, 0));
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            Set<LeaseId> released = new HashSet<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    released.add(leases.get(i));
                }
            }
            return released;
        }
    }
}
