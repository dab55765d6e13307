// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import com.github.reservation.internal.jdbc.lock.SqlStatement.Values;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.PurgingStore;
import com.github.reservation.internal.store.QueueingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Leases in a table: one statement for each operation, on a connection of its own, in autocommit.
 *
 * <p>Nodes that wait stand in line in the row. A refused node lines up, in the statement that refused it where the database
 * can, and only looks from then on until it is called or the row looks free. Whoever gives the key back keeps it for the
 * first in line, for a grace.
 */
public class JdbcLeases implements PurgingStore, QueueingStore {

    private static final int PURGE_LIMIT = 1_000;

    private final TableSessions table;
    private final long grace;
    private final LockTimeouts locked = new LockTimeouts();
    private final KnownRows granted = new KnownRows();
    private final Optional<Duration> purgeAfter;
    private final PurgeScope purgeScope;

    public JdbcLeases(JdbcSettings settings) {
        this(settings, false);
    }

    /** Makes a store; with {@code calls}, whoever gives a key back calls the first in line where the database can. */
    JdbcLeases(JdbcSettings settings, boolean calls) {
        this.table = new TableSessions(settings, calls);
        this.grace = SqlValues.micros(settings.grace());
        this.purgeAfter = settings.purgeAfter();
        this.purgeScope = new PurgeScope(settings.dataSource(), settings.table(), purgeAfter);
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return acquire(request, false);
    }

    /** Asks for a key; with {@code inLine} for a node that has its place already. */
    final Acquisition acquire(AcquireRequest request, boolean inLine) throws StoreException {
        return table.use(session -> new RowAcquisition(session, request, locked, granted, inLine).answer());
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return table.use(session -> {
            Set<LeaseId> renewed = updateEach(session, session.statements().renew, leases, SqlValues.micros(lease));
            if (session.dialect().countsChangedRowsOnly()) {
                addUnchanged(session, leases, renewed);
            }
            return renewed;
        });
    }

    /** Adds the leases that exist although no row of theirs was changed: they run longer than was asked for. */
    private static void addUnchanged(SqlSession session, Collection<LeaseId> leases, Set<LeaseId> renewed)
            throws SQLException {
        for (LeaseId lease : leases) {
            if (!renewed.contains(lease)
                    && find(session, lease.key()).filter(found -> found.id().equals(lease)).isPresent()) {
                renewed.add(lease);
            }
        }
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return table.use(session -> {
            if (leases.size() != 1) {
                return updateEach(session, session.statements().releaseMany, leases, 0);
            }
            LeaseId lease = leases.iterator().next();
            return session.execute(session.statements().release, valuesOf(lease)) ? Set.of(lease) : Set.of();
        });
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return table.use(session -> {
            LockStatements statements = session.statements();
            SqlStatement sql = mayStay ? statements.releaseBefore : statements.releaseBehind;
            return session.execute(sql, valuesOf(lease).withNode(node, true));
        });
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        return table.use(session -> {
            LockStatements statements = session.statements();
            Values values = Values.of(lease.key(), lease.holder(), SqlValues.micros(next.leaseTime()))
                    .withNext(next.lease().holder())
                    .withNode(next.node(), true);
            return session.grant(mayStay ? statements.passInAnyCase : statements.pass, values);
        });
    }

    private Values valuesOf(LeaseId lease) {
        return Values.of(lease.key(), lease.holder(), 0).withGrace(grace);
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        table.use(session -> session.execute(
                session.statements().withdraw,
                Values.of(key).withNode(node, false).withGrace(grace)));
    }

    /** Runs the statement for each lease in one batch, in the order of the keys so that two of them cannot deadlock. */
    private Set<LeaseId> updateEach(SqlSession session, SqlStatement sql, Collection<LeaseId> leases, long micros)
            throws SQLException {
        List<LeaseId> ordered =
                leases.stream().sorted(Comparator.comparing(LeaseId::key)).toList();
        try (PreparedStatement statement = session.prepare(sql)) {
            for (LeaseId lease : ordered) {
                sql.bind(statement, Values.of(lease.key(), lease.holder(), micros).withGrace(grace));
                if (ordered.size() == 1) {
                    return statement.executeUpdate() > 0 ? new HashSet<>(leases) : new HashSet<>();
                }
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            Set<LeaseId> updated = new HashSet<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    updated.add(ordered.get(i));
                }
            }
            return updated;
        }
    }

    @Override
    public boolean forceRelease(String key) throws StoreException {
        return table
                .use(session -> session.execute(session.statements().forceRelease, Values.of(key).withGrace(grace)));
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return table.use(session -> find(session, key));
    }

    private static Optional<StoredLease> find(SqlSession session, String key) throws SQLException {
        return select(session, session.statements().find, key, key::equals).stream().findFirst();
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        String pattern =
                keyPrefix.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
        return table.use(session -> select(
                session, session.statements().list, pattern, key -> key.startsWith(keyPrefix)));
    }

    /** Reads the leases whose keys are wanted: a database may find more that its language takes for equal. */
    private static List<StoredLease> select(SqlSession session, SqlStatement sql, String bound,
            Predicate<String> wanted)
            throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, Values.of(bound));
            try (ResultSet row = statement.executeQuery()) {
                List<StoredLease> leases = new ArrayList<>();
                while (row.next()) {
                    String key = row.getString("reservation_key");
                    if (wanted.test(key)) {
                        leases.add(new StoredLease(
                                new LeaseId(key, row.getString("holder")),
                                Instant.EPOCH.plus(row.getLong("since"), ChronoUnit.MICROS),
                                SqlValues.duration(row, "remaining"),
                                SqlValues.fence(row)));
                    }
                }
                return leases;
            }
        }
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
     * Forgets keys that nobody holds, and that nobody has acquired for so long.
     *
     * @return how many, at most {@code limit}
     */
    public int purge(Duration idle, int limit) throws StoreException {
        long micros = SqlValues.micros(idle);
        return table.use(session -> {
            int forgotten = 0;
            for (String key : findDead(session, micros, limit)) {
                forgotten += isForgotten(session, Values.of(key, "", micros)) ? 1 : 0;
            }
            return forgotten;
        });
    }

    /** Forgets a key, unless somebody is at its row: there is another time for that. */
    private static boolean isForgotten(SqlSession session, Values dead) throws SQLException {
        try {
            return session.execute(session.statements().purge, dead);
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e, session.dialect()) != StoreException.Kind.CONTENTION) {
                throw e;
            }
            return false;
        }
    }

    private static List<String> findDead(SqlSession session, long micros, int limit) throws SQLException {
        SqlStatement sql = session.statements().findDead;
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, Values.of("", "", micros).withLimit(limit));
            try (ResultSet row = statement.executeQuery()) {
                List<String> keys = new ArrayList<>();
                while (row.next()) {
                    keys.add(row.getString(1));
                }
                return keys;
            }
        }
    }
}
