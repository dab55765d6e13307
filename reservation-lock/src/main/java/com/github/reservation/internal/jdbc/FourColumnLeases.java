// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Leases in a table of four columns. They have no fences, and the table has no room for a queue.
 *
 * <p>They exclude those of {@link JdbcLeases} on the same table, which may have got its other columns meanwhile: both grant a
 * key by its row, only if {@code expires_at} is over, and both keep the row. What is not changed here, the fence and the queue,
 * stays valid for the others.
 */
final class FourColumnLeases implements LeaseStore {

    private final TableSessions<LockStatements> sessions;

    FourColumnLeases(TableSessions<LockStatements> sessions) {
        this.sessions = sessions;
    }

    /**
     * Updates the row of a free key, or inserts it if there is none. A node that polls looks first: a read costs less than a write
     * that changes nothing. A look before the insert spares the database an error for each refusal.
     */
    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        LeaseId lease = request.lease();
        Params params = paramsOf(lease).and("micros", request.leaseTime());
        return sessions.use((session, statements) -> {
            FourColumnStatements four = statements.fourColumns;
            Optional<StoredLease> held = request.polls() ? find(session, four, lease.key()) : Optional.empty();
            if (held.isEmpty()) {
                if (session.execute(four.acquire, params)) {
                    return new Acquisition.Granted(OptionalLong.empty());
                }
                held = find(session, four, lease.key());
            }
            return held.isEmpty() && insert(session, four.insert, params)
                    ? new Acquisition.Granted(OptionalLong.empty())
                    : new Acquisition.Refused(held.map(StoredLease::remaining).orElse(Duration.ZERO), false);
        });
    }

    /** Returns false if the key has a row: another node was faster, or the lease that refused the update has just ended. */
    private static boolean insert(SqlSession session, SqlStatement sql, Params params) throws SQLException {
        try {
            return session.execute(sql, params);
        } catch (SQLException e) {
            if (!session.dialect().isDuplicateKey(e)) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public int mostLeasesInACall() {
        return 1;
    }

    /** A row that the update leaves as it is, because the lease already ends later, may not count: so a 0 is looked at. */
    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration leaseTime) throws StoreException {
        return Renewal.decided(change(leases, (session, statements, lease) -> {
            LeaseRenewals.limit(session, leaseTime);
            return session.execute(statements.renew, paramsOf(lease).and("micros", leaseTime))
                    || LeaseRows.exists(session, statements.fourColumns.find, lease);
        }));
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return change(leases, FourColumnLeases::release);
    }

    private static boolean release(SqlSession session, LockStatements statements, LeaseId lease) throws SQLException {
        return session.execute(statements.fourColumns.release, paramsOf(lease));
    }

    /** Renews or releases one lease; returns whether it existed. */
    @FunctionalInterface
    private interface Change {
        boolean make(SqlSession session, LockStatements statements, LeaseId lease) throws SQLException;
    }

    private Set<LeaseId> change(Collection<LeaseId> leases, Change change) throws StoreException {
        Set<LeaseId> existed = new HashSet<>();
        for (LeaseId lease : leases) {
            if (sessions.use((session, statements) -> change.make(session, statements, lease))) {
                existed.add(lease);
            }
        }
        return existed;
    }

    private static Params paramsOf(LeaseId lease) {
        return Params.of("key", lease.key(), "holder", lease.holder());
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return sessions.use((session, statements) -> LeaseRows.releaseFound(
                session, statements.fourColumns.find, key, lease -> release(session, statements, lease)));
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return sessions.use((session, statements) -> find(session, statements.fourColumns, key));
    }

    private static Optional<StoredLease> find(SqlSession session, FourColumnStatements statements, String key)
            throws SQLException {
        return LeaseRows.find(session, statements.find, key);
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return sessions.use(
                (session, statements) -> LeaseRows.list(session, statements.fourColumns.list, keyPrefix));
    }
}
