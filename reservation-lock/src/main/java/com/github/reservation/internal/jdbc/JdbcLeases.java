// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlFailures;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Leases in a table: one statement for each operation, on a connection of its own, in autocommit. {@link LeaseChanges}
 * has what is different for many leases.
 *
 * <p>The row of a key has the queue of the nodes that wait for it. A refused node joins the queue, in the statement that refused
 * it if the database can. From then on it only looks, until it is notified or the key looks free. A release reserves the key
 * for the first node of the queue, for a grace.
 */
public class JdbcLeases implements PurgingStore, QueueingStore {

    private static final int PURGE_LIMIT = 1_000;
    private static final int FORCED_RELEASES = 5;

    private final TableSessions<LockStatements> sessions;
    private final LeaseChanges changes;
    private final long grace;
    private final LockTimeouts lockTimeouts = new LockTimeouts();
    private final KnownRows knownRows = new KnownRows();
    private final Optional<Duration> purgeAfter;
    private final PurgeScope purgeScope;

    public JdbcLeases(JdbcSettings settings) {
        this(settings, false);
    }

    /** Makes a store. With {@code notifies}, a release notifies the first waiting node, if the database can. */
    JdbcLeases(JdbcSettings settings, boolean notifies) {
        this(settings, sessions(settings, notifies, TableCheck::requireAllColumns));
    }

    JdbcLeases(JdbcSettings settings, TableSessions<LockStatements> sessions) {
        this.sessions = sessions;
        this.grace = SqlValues.micros(settings.grace());
        this.changes = new LeaseChanges(sessions, grace);
        this.purgeAfter = settings.purgeAfter();
        this.purgeScope = new PurgeScope(settings.dataSource(), settings.table(), purgeAfter);
    }

    /** Looks at a table before its first use; throws if the table is not fit. */
    @FunctionalInterface
    interface Check {
        void run(TableCheck check) throws SQLException, StoreException;
    }

    static TableSessions<LockStatements> sessions(JdbcSettings settings, boolean notifies, Check check) {
        return new TableSessions<>(
                settings.sessionTable(),
                dialect -> new LockStatements(dialect, settings.table(), settings.durableRelease(), notifies),
                (session, statements) -> check.run(new TableCheck(session, statements, settings.table())));
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return acquire(request, false);
    }

    /** Acquires a key. With {@code inQueue}, the node is in its queue already. */
    final Acquisition acquire(AcquireRequest request, boolean inQueue) throws StoreException {
        return sessions.use((session,
                statements) -> new RowAcquisition(session, statements, request, lockTimeouts, knownRows, inQueue)
                        .execute());
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return changes.renew(leases, SqlValues.micros(lease));
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        if (leases.size() != 1) {
            return changes.release(leases);
        }
        LeaseId lease = leases.iterator().next();
        boolean released = sessions.use(
                (session, statements) -> release(session, statements.releasing.release, lease,
                        changes.valuesOf(lease, 0)));
        return released ? Set.of(lease) : Set.of();
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return sessions.use((session, statements) -> release(
                session,
                mayStay ? statements.releasing.releaseBefore : statements.releasing.releaseBehind,
                lease,
                changes.valuesOf(lease, 0).withNode(node, true)));
    }

    /** Releases one lease; if the database returns whether nodes wait for its key, the next acquisition knows. */
    private boolean release(SqlSession session, SqlStatement sql, LeaseId lease, LockValues values)
            throws SQLException {
        if (!session.dialect().hasReturning()) {
            return session.execute(sql, values);
        }
        List<Boolean> awaited = session.query(sql, values, row -> row.getBoolean("awaited"));
        awaited.forEach(known -> knownRows.released(lease.key(), known));
        return !awaited.isEmpty();
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        LockValues values = changes.valuesOf(lease, SqlValues.micros(next.leaseTime()))
                .withNext(next.lease().holder())
                .withNode(next.node(), true);
        return sessions.use((session, statements) -> RowAcquisition.grant(
                session, mayStay ? statements.releasing.passInAnyCase : statements.releasing.pass, values));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        sessions.use((session, statements) -> session.execute(
                statements.releasing.withdraw,
                LockValues.of(key).withNode(node, false).withGrace(grace)));
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return sessions.use((session, statements) -> {
            Optional<SqlStatement> sql = statements.releasing.forceRelease;
            return sql.isPresent()
                    ? forceRelease(session, sql.get(), key)
                    : releaseFound(session, statements.find, key, lease -> release(
                            session, statements.releasing.release, lease, changes.valuesOf(lease, 0)));
        });
    }

    /** Ends the lease of the key with a statement that returns its holder. */
    private Optional<LeaseId> forceRelease(SqlSession session, SqlStatement sql, String key) throws SQLException {
        try (PreparedStatement statement = session.prepareReturning(sql, "HOLDER")) {
            sql.bind(statement, LockValues.of(key).withGrace(grace));
            boolean returnsRows = statement.execute();
            if (!returnsRows && statement.getUpdateCount() == 0) {
                return Optional.empty();
            }
            try (ResultSet row = returnsRows ? statement.getResultSet() : statement.getGeneratedKeys()) {
                return row.next() ? Optional.of(new LeaseId(key, row.getString(1))) : Optional.empty();
            }
        }
    }

    /** Ends a lease; returns false if it had ended already. */
    @FunctionalInterface
    interface Release {
        boolean make(LeaseId lease) throws SQLException;
    }

    /**
     * Reads the lease of the key and ends that one. If its holder was faster, the next one may have the key: so it reads again, a few
     * times.
     */
    static Optional<LeaseId> releaseFound(SqlSession session, SqlStatement find, String key, Release release)
            throws SQLException, StoreException {
        for (int i = 0; i < FORCED_RELEASES; i++) {
            Optional<LeaseId> found = find(session, find, key).map(StoredLease::id);
            if (found.isEmpty() || release.make(found.get())) {
                return found;
            }
        }
        throw new StoreException(StoreException.Kind.CONTENTION, "The key changes hands all the time");
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return sessions.use((session, statements) -> find(session, statements.find, key));
    }

    static Optional<StoredLease> find(SqlSession session, SqlStatement sql, String key) throws SQLException {
        return select(session, sql, key, key::equals).stream().findFirst();
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return sessions.use((session, statements) -> list(session, statements.list, keyPrefix));
    }

    static List<StoredLease> list(SqlSession session, SqlStatement sql, String keyPrefix) throws SQLException {
        String pattern =
                keyPrefix.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
        return select(session, sql, pattern, key -> key.startsWith(keyPrefix));
    }

    /** Reads the leases of the wanted keys. The database may return more: keys that its collation considers equal. */
    private static List<StoredLease> select(
            SqlSession session, SqlStatement sql, String keyOrPattern, Predicate<String> wanted) throws SQLException {
        return session.query(sql, LockValues.of(keyOrPattern), JdbcLeases::lease).stream()
                .filter(lease -> wanted.test(lease.id().key()))
                .toList();
    }

    private static StoredLease lease(ResultSet row) throws SQLException {
        return new StoredLease(
                new LeaseId(row.getString("reservation_key"), row.getString("holder")),
                Instant.EPOCH.plus(row.getLong("since"), ChronoUnit.MICROS),
                SqlValues.duration(row, "remaining"),
                SqlValues.number(row, "fence"));
    }

    @Override
    public Object purgeScope() {
        return purgeScope;
    }

    @Override
    public boolean purge() throws StoreException {
        return purgeAfter.isPresent() && purge(purgeAfter.get(), PURGE_LIMIT) == PURGE_LIMIT;
    }

    /**
     * Deletes the rows of keys that are free and were last acquired before this time.
     *
     * @return how many, at most {@code limit}
     */
    public int purge(Duration idle, int limit) throws StoreException {
        long micros = SqlValues.micros(idle);
        return sessions.use((session, statements) -> {
            int purged = 0;
            LockValues dead = LockValues.of("", "", micros).withLimit(limit);
            for (String key : session.query(statements.findDead, dead, row -> row.getString(1))) {
                purged += purge(session, statements, LockValues.of(key, "", micros)) ? 1 : 0;
            }
            return purged;
        });
    }

    /** Deletes a row, unless another statement is changing it: then a later purge deletes it. */
    private static boolean purge(SqlSession session, LockStatements statements, LockValues dead) throws SQLException {
        try {
            return session.execute(statements.purge, dead);
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e, session.dialect()) != StoreException.Kind.CONTENTION) {
                throw e;
            }
            return false;
        }
    }
}
