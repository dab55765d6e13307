// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Renews the leases of one call. One lease is one statement. Many leases are one statement on PostgreSQL, one for each hundred on
 * MySQL and MariaDB, and a batch on Oracle. H2 renews them one by one.
 *
 * <p>A statement waits only for a moment for a row that another session keeps locked, because the other leases run out meanwhile. If
 * it gives up, the leases whose rows are not locked are renewed without the others, which are undecided.
 */
final class LeaseRenewals {

    /** The shortest limit of a statement. Drivers count whole seconds. */
    private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(1);

    /** How long to look for rows that are not locked after the first one that is. */
    private static final long LONGEST_SEARCH = Duration.ofSeconds(2).toNanos();

    /** How many leases are renewed together after a locked row was found. */
    private static final int CHUNK = 20;

    private final SqlSession session;
    private final LockStatements statements;
    private final Dialect dialect;
    private final Duration leaseTime;
    private final Set<LeaseId> renewed = new HashSet<>();
    private final Set<LeaseId> undecided = new HashSet<>();
    private boolean isAlone;

    /** Lets leases run for a time from now. */
    LeaseRenewals(SqlSession session, LockStatements statements, Duration leaseTime) {
        this.session = session;
        this.statements = statements;
        this.dialect = session.dialect();
        this.leaseTime = leaseTime;
    }

    /**
     * Limits the statements of a renewal, where they cannot limit the wait for a row themselves. A longer lease leaves time for a commit
     * that is slow.
     */
    static void limit(SqlSession session, Duration leaseTime) {
        if (session.dialect().lockWait().isEmpty()) {
            Duration limit = leaseTime.dividedBy(12);
            session.limitTo(limit.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : limit);
        }
    }

    Renewal renew(List<LeaseId> leases) throws SQLException {
        limit(session, leaseTime);
        isAlone = leases.size() == 1;
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
     * leases can wait for each other, until both give up. A release cannot, see {@link JdbcLeaseStore}. To lock the rows first, and skip
     * those that are locked, takes almost twice as long: so it is done only if a row is locked or a lease is lost.
     */
    private Renewal renewMany(SeveralStatements several, List<LeaseId> leases) throws SQLException {
        Params params = SeveralStatements.paramsOf(session, leases).and("micros", leaseTime);
        try {
            if (session.update(several.renew(), params) == leases.size()) {
                return Renewal.decided(Set.copyOf(leases));
            }
        } catch (SQLException e) {
            requireLocked(e);
        }
        renewed.addAll(SeveralStatements.find(session, several.renewUnlocked(), params));
        List<LeaseId> others = notRenewed(leases);
        if (!others.isEmpty()) {
            undecided.addAll(
                    SeveralStatements.find(session, several.findRunning(),
                            SeveralStatements.paramsOf(session, others)));
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
            count = session.update(lists.renew(), RenewalLists.paramsOf(list).and("micros", leaseTime));
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
                lists.findUnlocked(), RenewalLists.paramsOf(wanted), row -> row.getString(1)));
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
        renewInChunks(renewUpToLocked(leases));
        if (dialect.countsChangedRowsOnly()) { // Not of a lease that ends later than was asked for.
            for (LeaseId lease : notRenewed(leases)) {
                if (!undecided.contains(lease) && exists(lease)) {
                    renewed.add(lease);
                }
            }
        }
    }

    /**
     * Each locked row costs time. So after the first one the rest is tried for a while only, in chunks that are drawn anew in each renewal:
     * no lease is always behind the same locked rows. Each chunk is in the order of the keys: a batch may keep its rows locked until it
     * ends, and must not deadlock with another one of the same leases.
     */
    private void renewInChunks(List<LeaseId> leases) throws SQLException {
        long giveUp = System.nanoTime() + LONGEST_SEARCH;
        List<LeaseId> drawn = new ArrayList<>(leases);
        Collections.shuffle(drawn);
        for (int from = 0; from < drawn.size(); from += CHUNK) {
            List<LeaseId> chunk = JdbcLeaseStore.ordered(drawn.subList(from, Math.min(drawn.size(), from + CHUNK)));
            while (!chunk.isEmpty() && giveUp - System.nanoTime() > 0) {
                chunk = renewUpToLocked(chunk);
            }
            undecided.addAll(chunk);
        }
    }

    /** Renews the leases up to a row that is locked; returns those behind it. */
    private List<LeaseId> renewUpToLocked(List<LeaseId> leases) throws SQLException {
        int locked = renewUntilLocked(leases);
        if (locked == leases.size()) {
            return List.of();
        }
        undecided.add(leases.get(locked));
        return leases.subList(locked + 1, leases.size());
    }

    /** Executes the statement for each lease up to a row that is locked; returns the index of that one, or how many there are. */
    private int renewUntilLocked(List<LeaseId> leases) throws SQLException {
        if (leases.isEmpty()) {
            return 0;
        }
        try (PreparedStatement statement = session.prepareBatch(statements.renew, leases.size())) {
            // H2 executes a batch one by one as well, but goes on after a locked row.
            return leases.size() == 1 || dialect.timeLimit() == Dialect.TimeLimit.NONE
                    ? renewOneByOne(statement, leases)
                    : renewBatch(statement, leases);
        }
    }

    private int renewOneByOne(PreparedStatement statement, List<LeaseId> leases) throws SQLException {
        for (int i = 0; i < leases.size(); i++) {
            bind(statement, leases.get(i));
            try {
                if (statement.executeUpdate() > 0) {
                    renewed.add(leases.get(i));
                }
            } catch (SQLException e) {
                requireLocked(e);
                return i;
            }
        }
        return leases.size();
    }

    /**
     * Executes a batch. If it fails, databases differ in what they have committed. So nothing counts then, and the leases up to the
     * locked one are renewed again.
     */
    private int renewBatch(PreparedStatement statement, List<LeaseId> leases) throws SQLException {
        for (LeaseId lease : leases) {
            bind(statement, lease);
            statement.addBatch();
        }
        int[] counts;
        try {
            counts = statement.executeBatch();
        } catch (BatchUpdateException e) {
            requireLocked(e);
            int failed = firstFailed(e.getUpdateCounts());
            if (failed >= leases.size()) {
                throw e;
            }
            return renewUntilLocked(leases.subList(0, failed));
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                renewed.add(leases.get(i));
            }
        }
        return leases.size();
    }

    private void bind(PreparedStatement statement, LeaseId lease) throws SQLException {
        statements.renew.bind(statement, Params.of("key", lease.key(), "holder", lease.holder(), "micros", leaseTime));
    }

    /** Returns the index of the execution that failed. Some drivers end the counts before it, others go on. */
    private static int firstFailed(int[] counts) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == Statement.EXECUTE_FAILED) {
                return i;
            }
        }
        return counts.length;
    }

    /**
     * Throws the failure, unless the reason is that the statement waited too long, as a rule for a row. A call for one lease always fails:
     * there is no other lease to go on with.
     */
    private void requireLocked(SQLException e) throws SQLException {
        if (isAlone || (!dialect.isLockTimeout(e) && !dialect.isCancelled(e) && !(e instanceof SQLTimeoutException))) {
            throw e;
        }
    }

    private boolean exists(LeaseId lease) throws SQLException {
        return LeaseRows.exists(session, statements.find, lease);
    }

    private List<LeaseId> notRenewed(Collection<LeaseId> leases) {
        return leases.stream().filter(lease -> !renewed.contains(lease)).toList();
    }
}
