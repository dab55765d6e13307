// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlFailures;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Leases in a table: one statement for each operation on one lease, on a connection of its own, in autocommit. {@link RowAcquisition}
 * and {@link LeaseRenewals} have the operations that can take more.
 *
 * <p>Many leases are changed in the order of their keys, in autocommit too: a transaction of a process that hangs or is cut off would keep
 * its rows locked, even after the leases ended.
 *
 * <p>The row of a key has the queue of the nodes that wait for it. A refused node joins the queue, in the statement that refused
 * it if the database can. From then on it only looks, until it is notified or the key looks free. A release reserves the key
 * for the first node of the queue, for a grace.
 *
 * <p>A table may have the first four columns alone. The first use finds out, and the answer stays: a table that gets its other columns
 * later is used without them until a restart. Its leases have no fences, its keys no queues. Stores from before and after that exclude
 * each other: both grant a key by its row, only if {@code expires_at} is over, and both keep the row.
 */
public class JdbcLeaseStore implements PurgingStore, QueueingStore {

    private static final int PURGE_LIMIT = 1_000;
    private static final int FORCED_RELEASES = 5;

    private final TableSessions<LockStatements> sessions;
    private final Duration grace;
    private final LockTimeouts lockTimeouts = new LockTimeouts();
    private final KnownRows knownRows = new KnownRows();
    private final Optional<Duration> purgeAfter;
    private final PurgeScope purgeScope;
    private final AtomicBoolean warned = new AtomicBoolean();

    public JdbcLeaseStore(JdbcSettings settings) {
        this(settings, false);
    }

    /** Makes a store. With {@code notifies}, a release notifies the first waiting node: the table needs its queue, so all columns. */
    JdbcLeaseStore(JdbcSettings settings, boolean notifies) {
        this.sessions = new TableSessions<>(settings.table(), session -> prepare(session, settings, notifies));
        this.grace = settings.grace();
        this.purgeAfter = settings.purgeAfter();
        this.purgeScope = new PurgeScope(settings.table().dataSource(), settings.table().name(), purgeAfter);
    }

    private LockStatements prepare(SqlSession session, JdbcSettings settings, boolean notifies)
            throws SQLException, StoreException {
        Dialect dialect = session.dialect();
        TableName table = settings.table().name();
        LockStatements all = new LockStatements(dialect, table, settings.durableRelease(), notifies);
        TableCheck check = new TableCheck(session, all, settings.table());
        if (notifies) {
            check.requireAllColumns();
        } else if (check.findsFourColumns()) {
            if (warned.compareAndSet(false, true)) {
                warn(table, dialect);
            }
            return all.onFourColumns();
        }
        return all;
    }

    private static void warn(TableName table, Dialect dialect) {
        Log.warn("Table " + table
                + " has no columns fence, waiters and reserved_until: its locks have no fencing tokens, and nodes"
                + " take no turns. The command " + dialect.printCommand()
                + "-migration prints the ALTER TABLE that adds them;"
                + " an application uses them after its next start", null);
    }

    /** Returns whether the table is known to have the first four columns alone. */
    private boolean hasFourColumns() {
        return sessions.statements().filter(known -> !known.allColumns).isPresent();
    }

    @Override
    public boolean hasQueue() {
        return !hasFourColumns();
    }

    @Override
    public int mostLeasesInACall() {
        return hasFourColumns() ? 1 : QueueingStore.super.mostLeasesInACall();
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return sessions.use(acquisition(request, false));
    }

    /** Acquires a key. With {@code inQueue}, the node is in its queue already. */
    final Acquisition acquire(AcquireRequest request, boolean inQueue) throws StoreException {
        return sessions.use(acquisition(request, inQueue));
    }

    private TableSessions.Work<LockStatements, Acquisition> acquisition(AcquireRequest request, boolean inQueue) {
        return (session, statements) -> statements.allColumns
                ? new RowAcquisition(session, statements, request, lockTimeouts, knownRows, inQueue).execute()
                : statements.fourColumns.acquire(session, request);
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        List<LeaseId> ordered = ordered(leases);
        return sessions.use((session, statements) -> new LeaseRenewals(session, statements, lease).renew(ordered));
    }

    /** Returns the leases in the order in which every statement on many of them changes their rows: that of the keys. */
    static List<LeaseId> ordered(Collection<LeaseId> leases) {
        return leases.size() == 1
                ? List.copyOf(leases)
                : leases.stream().sorted(Comparator.comparing(LeaseId::key)).toList();
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        if (leases.size() == 1) {
            LeaseId lease = leases.iterator().next();
            return sessions.use(
                    (session, statements) -> release(session, statements, statements.release, lease, paramsOf(lease)))
                            ? Set.of(lease)
                            : Set.of();
        }
        List<LeaseId> ordered = ordered(leases);
        return sessions.use((session, statements) -> statements.several.isPresent()
                ? releaseMany(session, statements, statements.several.get(), ordered)
                : releaseEach(session, statements.release, ordered));
    }

    private Params paramsOf(LeaseId lease) {
        return Params.of("key", lease.key(), "holder", lease.holder(), "grace", grace);
    }

    /** Releases one lease; if the database returns whether nodes wait for its key, the next acquisition knows. */
    private boolean release(
            SqlSession session, LockStatements statements, SqlStatement sql, LeaseId lease, Params params)
            throws SQLException {
        if (!statements.allColumns || !session.dialect().hasReturning()) {
            return session.execute(sql, params);
        }
        Optional<Boolean> awaited = session.queryOne(sql, params, row -> row.getBoolean("awaited"));
        awaited.ifPresent(known -> knownRows.released(lease.key(), known));
        return awaited.isPresent();
    }

    /**
     * Releases all leases in one statement that waits for no lock. Rows that were locked then are released one by one: a statement that
     * waits for one row and holds no other cannot be part of a deadlock.
     */
    private Set<LeaseId> releaseMany(SqlSession session, LockStatements statements, SeveralStatements several,
            List<LeaseId> leases) throws SQLException {
        Set<LeaseId> released = new HashSet<>(SeveralStatements.find(
                session, several.releaseUnlocked(), SeveralStatements.paramsOf(session, leases).and("grace", grace)));
        List<LeaseId> others = leases.stream().filter(lease -> !released.contains(lease)).toList();
        if (!others.isEmpty()) {
            for (LeaseId lease : SeveralStatements.find(
                    session, several.findRunning(), SeveralStatements.paramsOf(session, others))) {
                if (session.execute(statements.release, paramsOf(lease))) {
                    released.add(lease);
                }
            }
        }
        return released;
    }

    /** Releases each lease, as one batch. */
    private Set<LeaseId> releaseEach(SqlSession session, SqlStatement sql, List<LeaseId> leases) throws SQLException {
        int[] counts = session.updateEach(sql, leases, this::paramsOf);
        Set<LeaseId> released = new HashSet<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                released.add(leases.get(i));
            }
        }
        return released;
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        Params params = paramsOf(lease).and("node", WaitersColumn.entry(node));
        return sessions.use((session, statements) -> release(session, statements, statements.releaseAndQueue(mayStay),
                lease, params));
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        Params params = Params.of(
                "key", lease.key(),
                "holder", lease.holder(),
                "next", next.lease().holder(),
                "micros", next.leaseTime(),
                "node", WaitersColumn.entry(next.node()));
        return sessions.use((session, statements) -> RowAcquisition.grant(
                session, mayStay ? statements.releasing.passInAnyCase : statements.releasing.pass, params));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        Params params = Params.of("key", key, "node", WaitersColumn.entry(node), "grace", grace);
        sessions.use((session, statements) -> statements.allColumns
                && session.execute(statements.releasing.withdraw, params));
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return sessions.use((session, statements) -> {
            Optional<SqlStatement> sql = statements.releasing.forceRelease;
            return statements.allColumns && sql.isPresent()
                    ? session.updateReturning(
                            sql.get(),
                            Params.of("key", key, "grace", grace),
                            row -> new LeaseId(key, row.getString(1)),
                            "HOLDER")
                    : releaseFound(session, statements, key);
        });
    }

    /**
     * Reads the lease of the key and ends that one. If its holder was faster, the next one may have the key: so it reads again, a few
     * times.
     */
    private Optional<LeaseId> releaseFound(SqlSession session, LockStatements statements, String key)
            throws SQLException, StoreException {
        for (int i = 0; i < FORCED_RELEASES; i++) {
            Optional<LeaseId> found =
                    LeaseRows.find(session, statements.find, key).map(StoredLease::id);
            if (found.isEmpty() || release(
                    session, statements, statements.release, found.get(), paramsOf(found.get()))) {
                return found;
            }
        }
        throw new StoreException(StoreException.Kind.CONTENTION, "The key changes hands all the time");
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return sessions.use((session, statements) -> LeaseRows.find(session, statements.find, key));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return sessions.use((session, statements) -> LeaseRows.list(session, statements.list, keyPrefix));
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
        return sessions.use((session, statements) -> {
            int purged = 0;
            Params dead = Params.of("micros", idle, "limit", limit);
            for (String key : session.query(statements.findDead, dead, row -> row.getString(1))) {
                purged += purge(session, statements.purge, Params.of("key", key, "micros", idle)) ? 1 : 0;
            }
            return purged;
        });
    }

    /** Deletes a row, unless another statement is changing it: then a later purge deletes it. */
    private static boolean purge(SqlSession session, SqlStatement sql, Params dead) throws SQLException {
        try {
            return session.execute(sql, dead);
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e, session.dialect()) != StoreException.Kind.CONTENTION) {
                throw e;
            }
            return false;
        }
    }
}
