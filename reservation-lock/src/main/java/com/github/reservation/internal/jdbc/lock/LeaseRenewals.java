// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.Renewal;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Renews the leases of one call. One lease is one statement. Many leases are one statement on PostgreSQL, one for each hundred on
 * MySQL and MariaDB, and a batch elsewhere.
 *
 * <p>A statement waits only for a moment for a row that another session keeps locked, because the other leases run out meanwhile. If
 * it gives up, the leases whose rows are not locked are renewed without the others, which are undecided.
 */
final class LeaseRenewals {

    /** The limit of a statement, where it cannot limit the wait for a row itself. Drivers count whole seconds. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final SqlSession session;
    private final LockStatements statements;
    private final Dialect dialect;
    private final long micros;
    private final Set<LeaseId> renewed = new HashSet<>();
    private final Set<LeaseId> undecided = new HashSet<>();

    /** Renews leases for so many microseconds from now. */
    LeaseRenewals(SqlSession session, LockStatements statements, long micros) {
        this.session = session;
        this.statements = statements;
        this.dialect = session.dialect();
        this.micros = micros;
    }

    Renewal renew(List<LeaseId> leases) throws SQLException {
        if (dialect.lockWait().isEmpty()) {
            session.limitTo(LONGEST_WAIT);
        }
        if (leases.size() > 1 && statements.several.isPresent()) {
            return renewMany(statements.several.get(), leases);
        } else if (leases.size() > 1 && statements.renewalLists.isPresent()) {
            renewLists(statements.renewalLists.get(), leases);
        } else {
            renewEach(leases);
        }
        return new Renewal(renewed, undecided);
    }

    /**
     * Renews all leases in one statement. It may lock the rows in another order than that of the keys: then two renewals of the same
     * leases can deadlock, and one is retried. A release cannot, see {@link LeaseChanges}. To lock the rows first, and skip those that
     * are locked, takes almost twice as long: so it is done only if a row is locked or a lease is lost.
     */
    private Renewal renewMany(SeveralStatements several, List<LeaseId> leases) throws SQLException {
        LockValues values = LockValues.of("", "", micros);
        try {
            if (session.update(several.renew(), SeveralStatements.valuesOf(session, leases, values)) == leases.size()) {
                return Renewal.decided(Set.copyOf(leases));
            }
        } catch (SQLException e) {
            requireLocked(e);
        }
        renewed.addAll(SeveralStatements.find(session, several.renewUnlocked(), leases, values));
        List<LeaseId> others = notRenewed(leases);
        if (!others.isEmpty()) {
            undecided.addAll(SeveralStatements.find(session, several.findRunning(), others, values));
        }
        return new Renewal(renewed, undecided);
    }

    /** Renews the leases in lists. After one list had to wait for a row, the others do not wait. */
    private void renewLists(RenewalLists lists, List<LeaseId> leases) throws SQLException {
        boolean isAnyLocked = false;
        for (int from = 0; from < leases.size(); from += RenewalLists.LONGEST) {
            List<LeaseId> list = leases.subList(from, Math.min(leases.size(), from + RenewalLists.LONGEST));
            isAnyLocked = isAnyLocked || !renewList(lists, list);
            if (isAnyLocked) {
                renewUnlocked(lists, list);
            }
        }
    }

    /**
     * Renews the leases of a list; false if a row is locked. If a lease is lost, they are renewed one by one: the database does not
     * return which rows an update has found. A statement locks the rows in the order of the primary key, so two of them cannot deadlock.
     */
    private boolean renewList(RenewalLists lists, List<LeaseId> list) throws SQLException {
        int count;
        try {
            count = session.update(lists.renew(list.size()), RenewalLists.valuesOf(list, micros));
        } catch (SQLException e) {
            requireLocked(e);
            return false;
        }
        if (count == list.size()) {
            renewed.addAll(list);
        } else {
            renewEach(list);
        }
        return true;
    }

    private void renewUnlocked(RenewalLists lists, List<LeaseId> list) throws SQLException {
        List<LeaseId> wanted = notRenewed(list);
        Set<String> keys = Set.copyOf(session.query(
                lists.findUnlocked(wanted.size()), RenewalLists.valuesOf(wanted), row -> row.getString(1)));
        List<LeaseId> unlocked = wanted.stream().filter(lease -> keys.contains(lease.key())).toList();
        if (!unlocked.isEmpty() && !renewList(lists, unlocked)) { // Locked only just now.
            undecided.addAll(unlocked);
        }
        for (LeaseId lease : wanted) {
            if (!keys.contains(lease.key()) && exists(lease)) {
                undecided.add(lease);
            }
        }
    }

    private void renewEach(List<LeaseId> leases) throws SQLException {
        List<LeaseId> rest = leases;
        while (!rest.isEmpty()) {
            rest = renewBatch(rest);
        }
        if (dialect.countsChangedRowsOnly()) { // Not of a lease that ends later than was asked for.
            for (LeaseId lease : notRenewed(leases)) {
                if (!undecided.contains(lease) && exists(lease)) {
                    renewed.add(lease);
                }
            }
        }
    }

    /** Executes the statement for each lease, as one batch; returns those that are not tried, because the batch ended at a locked row. */
    private List<LeaseId> renewBatch(List<LeaseId> leases) throws SQLException {
        int[] counts = executeEach(leases);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                renewed.add(leases.get(i));
            } else if (counts[i] == Statement.EXECUTE_FAILED) {
                undecided.add(leases.get(i));
            }
        }
        if (counts.length == leases.size()) {
            return List.of();
        }
        undecided.add(leases.get(counts.length));
        return leases.subList(counts.length + 1, leases.size());
    }

    private int[] executeEach(List<LeaseId> leases) throws SQLException {
        try (PreparedStatement statement = session.prepareBatch(statements.renew, leases.size())) {
            for (LeaseId lease : leases) {
                statements.renew.bind(statement, LockValues.of(lease.key(), lease.holder(), micros));
                if (leases.size() == 1) {
                    return new int[]{statement.executeUpdate()};
                }
                statement.addBatch();
            }
            return statement.executeBatch();
        } catch (BatchUpdateException e) {
            requireLocked(e);
            return e.getUpdateCounts();
        }
    }

    /** Throws the failure, unless the reason is that the statement waited too long, as a rule for a row. */
    private void requireLocked(SQLException e) throws SQLException {
        if (!dialect.isLockTimeout(e) && !dialect.isCancelled(e) && !(e instanceof SQLTimeoutException)) {
            throw e;
        }
    }

    private boolean exists(LeaseId lease) throws SQLException {
        return JdbcLeases.find(session, statements.find, lease.key())
                .filter(found -> found.id().equals(lease))
                .isPresent();
    }

    private List<LeaseId> notRenewed(Collection<LeaseId> leases) {
        return leases.stream().filter(lease -> !renewed.contains(lease)).toList();
    }
}
