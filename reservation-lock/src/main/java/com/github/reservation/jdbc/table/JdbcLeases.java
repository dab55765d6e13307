// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.PurgingStore;
import com.github.reservation.internal.store.QueueingStore;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.jdbc.table.Sql.Values;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Leases in a table: one statement for each operation, on a connection of its own, in autocommit.
 *
 * <p>Nodes that wait stand in line in the row. A refused node lines up, in the statement that refused it where the database
 * can, and only looks from then on until it is called or the row looks free. Whoever gives the key back keeps it for the
 * first in line, for a grace.
 */
public class JdbcLeases implements PurgingStore, QueueingStore {

    private static final int PURGE_LIMIT = 1_000;

    /** Longer than anybody waits, and short enough for all databases: Oracle's intervals end at 2^31 seconds. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(20_000);

    private final LockTable table;
    private final long grace;
    private final KnownKeys known = new KnownKeys();
    private final Optional<Duration> purgeAfter;

    public JdbcLeases(JdbcSettings settings) {
        this(settings, false);
    }

    /** Makes a store; with {@code calls}, whoever gives a key back calls the first in line where the database can. */
    JdbcLeases(JdbcSettings settings, boolean calls) {
        this.table = new LockTable(settings, calls);
        this.grace = micros(settings.grace());
        this.purgeAfter = settings.purgeAfter();
    }

    /** What keeps a node from a key: for how long, and who waits for it. */
    private record InTheWay(Duration remaining, @Nullable String waiters) {}

    /**
     * Takes the key, in one statement if nobody else wants it.
     *
     * <ol>
     *   <li>A key that had a row a moment ago is updated, if it is free and nobody waits for it.
     *   <li>Any other key is upserted; where there is no upsert, updated and then inserted.
     *   <li>A refused node that waits lines up: in the same statement where that can tell of it, else after a look.
     * </ol>
     */
    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return table.use(session -> {
            Optional<InTheWay> inTheWay = request.polls() ? look(session, request) : Optional.empty();
            Acquisition answer = inTheWay.isPresent()
                    ? refused(session, request, inTheWay)
                    : taken(session, request);
            note(session, request.lease().key(), answer);
            return answer;
        });
    }

    /** Remembers where an update will do: where there is no upsert, for all that have a row. */
    private void note(Session session, String key, Acquisition answer) {
        if (answer instanceof Acquisition.Granted || session.dialect().upsert() == Dialect.Upsert.NONE) {
            known.granted(key);
        } else {
            known.contended(key);
        }
    }

    private Acquisition taken(Session session, AcquireRequest request) throws SQLException {
        boolean hasRow = known.contains(request.lease().key());
        boolean updateFirst = switch (session.dialect().upsert()) {
            case ON_CONFLICT, ON_DUPLICATE_KEY, MERGE -> hasRow;
            case NONE -> true;
        };
        try {
            return updateFirst ? update(session, request, hasRow) : upsert(session, request);
        } catch (SQLException e) {
            return overtaken(session, request, e);
        }
    }

    private static Acquisition update(Session session, AcquireRequest request, boolean hasRow) throws SQLException {
        Sql sql = session.statements().update;
        try (PreparedStatement statement =
                session.dialect().hasReturning() ? session.prepare(sql) : session.prepareWithFence(sql)) {
            sql.bind(statement, values(request));
            if (statement.execute()) {
                try (ResultSet row = statement.getResultSet()) {
                    if (row.next()) {
                        return new Acquisition.Granted(fence(row));
                    }
                }
            } else if (statement.getUpdateCount() > 0) {
                return new Acquisition.Granted(generatedFence(session, statement));
            }
        }
        if (session.dialect().upsert() == Dialect.Upsert.NONE && hasRow) {
            Optional<InTheWay> inTheWay = look(session, request);
            if (inTheWay.isPresent()) {
                return refused(session, request, inTheWay);
            }
        }
        return upsert(session, request);
    }

    private static Acquisition upsert(Session session, AcquireRequest request) throws SQLException {
        return switch (session.dialect().upsert()) {
            case ON_CONFLICT, ON_DUPLICATE_KEY -> insertReturning(session, request);
            case MERGE, NONE -> insertCounting(session, request);
        };
    }

    private static Acquisition insertReturning(Session session, AcquireRequest request) throws SQLException {
        Sql sql = session.statements().acquire;
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values(request));
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return row.getBoolean("granted")
                            ? new Acquisition.Granted(fence(row))
                            : new Acquisition.Refused(remaining(row), isInLine(session, request, row));
                }
            }
        }
        return refused(session, request);
    }

    /** A row that was not granted is one of a node that has lined up just now; only MariaDB tells of others too. */
    private static boolean isInLine(Session session, AcquireRequest request, ResultSet row) throws SQLException {
        return session.dialect().upsert() == Dialect.Upsert.ON_CONFLICT
                || Waiters.contains(row.getString("waiters"), Waiters.place(request.node()));
    }

    private static Acquisition insertCounting(Session session, AcquireRequest request) throws SQLException {
        Sql sql = session.statements().acquire;
        try (PreparedStatement statement = session.prepareWithFence(sql)) {
            sql.bind(statement, values(request));
            if (statement.executeUpdate() > 0) {
                return new Acquisition.Granted(generatedFence(session, statement));
            }
        } catch (SQLException e) {
            // Two that insert the same new key at once: one of them finds the row of the other.
            if (!session.dialect().isDuplicateKey(e)) {
                throw e;
            }
        }
        return refused(session, request);
    }

    /**
     * Looks who was faster when the statement was undone because of a race. Above READ COMMITTED that is what PostgreSQL
     * says to whoever meets somebody else at the row; on a busy key more often than the core would try again.
     */
    private static Acquisition overtaken(Session session, AcquireRequest request, SQLException e) throws SQLException {
        if (SqlFailures.kindOf(e, session.dialect()) != StoreException.Kind.CONTENTION) {
            throw e;
        }
        Optional<InTheWay> inTheWay = look(session, request);
        if (inTheWay.isEmpty() && !request.waits()) {
            throw e; // It may well be free: not to be told as "no".
        }
        return refused(session, request, inTheWay);
    }

    /** Says how long it is worth waiting, to whoever waits. */
    private static Acquisition refused(Session session, AcquireRequest request) throws SQLException {
        return refused(session, request, request.waits() ? look(session, request) : Optional.empty());
    }

    /** Lines the node up if it waits; if nothing is in the way by now, it is worth asking again at once. */
    private static Acquisition refused(Session session, AcquireRequest request, Optional<InTheWay> found)
            throws SQLException {
        if (found.isEmpty()) {
            return new Acquisition.Refused(Duration.ZERO, false);
        }
        InTheWay inTheWay = found.get();
        boolean inLine = Waiters.contains(inTheWay.waiters, Waiters.place(request.node()));
        if (!inLine && request.waits() && session.statements().full() && Waiters.hasRoom(inTheWay.waiters)) {
            inLine = execute(session, session.statements().lineUp, values(request));
        }
        return new Acquisition.Refused(inTheWay.remaining, inLine);
    }

    /** Looks what is in the way of the node: a lease, or that the key is kept for another node. */
    private static Optional<InTheWay> look(Session session, AcquireRequest request) throws SQLException {
        Sql sql = session.statements().look;
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values(request));
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                String waiters = row.getString("waiters");
                Duration remaining = remaining(row);
                if (remaining.isZero() && waiters != null && !Waiters.isFirst(waiters, Waiters.place(request.node()))) {
                    remaining = atLeastZero(row.getLong("reserved"));
                }
                return remaining.isZero() ? Optional.empty() : Optional.of(new InTheWay(remaining, waiters));
            }
        }
    }

    private static Values values(AcquireRequest request) {
        return Values.of(request.lease().key(), request.lease().holder(), micros(request.leaseTime()))
                .withNode(Waiters.place(request.node()), request.waits());
    }

    @Override
    public Set<LeaseId> renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return table.use(session -> {
            Set<LeaseId> renewed = updateEach(session, session.statements().renew, leases, micros(lease));
            if (session.dialect().countsChangedRowsOnly()) {
                addUnchanged(session, leases, renewed);
            }
            return renewed;
        });
    }

    /** Adds the leases that exist although no row of theirs was changed: they run longer than was asked for. */
    private static void addUnchanged(Session session, Collection<LeaseId> leases, Set<LeaseId> renewed)
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
            return releaseOne(session, session.statements().release, lease, "") ? Set.of(lease) : Set.of();
        });
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        return table.use(session -> {
            if (session.dialect().upsert() != Dialect.Upsert.NONE) {
                known.contended(lease.key());
            }
            Statements statements = session.statements();
            Sql sql = !statements.full()
                    ? statements.release
                    : mayStay ? statements.releaseBefore : statements.releaseBehind;
            return releaseOne(session, sql, lease, Waiters.place(node));
        });
    }

    private boolean releaseOne(Session session, Sql sql, LeaseId lease, String place) throws SQLException {
        Values values = Values.of(lease.key(), lease.holder(), 0).withNode(place, true).withGrace(grace);
        return execute(session, sql, values);
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        table.use(session -> session.statements().full()
                && execute(
                        session,
                        session.statements().withdraw,
                        Values.of(key).withNode(Waiters.place(node), false).withGrace(grace)));
    }

    /** Returns whether there was an effect. A statement that returns rows has one for each that it changed. */
    private static boolean execute(Session session, Sql sql, Values values) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            sql.bind(statement, values);
            if (!statement.execute()) {
                return statement.getUpdateCount() > 0;
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next();
            }
        }
    }

    /** Runs the statement for each lease in one batch, in the order of the keys so that two of them cannot deadlock. */
    private Set<LeaseId> updateEach(Session session, Sql sql, Collection<LeaseId> leases, long micros)
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
                .use(session -> execute(session, session.statements().forceRelease, Values.of(key).withGrace(grace)));
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return table.use(session -> find(session, key));
    }

    private static Optional<StoredLease> find(Session session, String key) throws SQLException {
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
    private static List<StoredLease> select(Session session, Sql sql, String bound, Predicate<String> wanted)
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
                                remaining(row),
                                fence(row)));
                    }
                }
                return leases;
            }
        }
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
        long micros = micros(idle);
        return table.use(session -> {
            int forgotten = 0;
            for (String key : findDead(session, micros, limit)) {
                forgotten += isForgotten(session, Values.of(key, "", micros)) ? 1 : 0;
            }
            return forgotten;
        });
    }

    /** Forgets a key, unless somebody is at its row: there is another time for that. */
    private static boolean isForgotten(Session session, Values dead) throws SQLException {
        try {
            return execute(session, session.statements().purge, dead);
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e, session.dialect()) != StoreException.Kind.CONTENTION) {
                throw e;
            }
            return false;
        }
    }

    private static List<String> findDead(Session session, long micros, int limit) throws SQLException {
        Sql sql = session.statements().findDead;
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

    private static OptionalLong fence(ResultSet row) throws SQLException {
        long fence = row.getLong("fence");
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(fence);
    }

    private static OptionalLong generatedFence(Session session, PreparedStatement statement) throws SQLException {
        if (!session.statements().full()) {
            return OptionalLong.empty();
        }
        try (ResultSet keys = statement.getGeneratedKeys()) {
            return keys.next() ? OptionalLong.of(keys.getLong(1)) : OptionalLong.empty();
        }
    }

    private static Duration remaining(ResultSet row) throws SQLException {
        return atLeastZero(row.getLong("remaining"));
    }

    private static Duration atLeastZero(long micros) {
        return Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }

    private static long micros(Duration duration) {
        Duration capped = duration.compareTo(LONGEST_LEASE) < 0 ? duration : LONGEST_LEASE;
        return TimeUnit.MICROSECONDS.convert(capped);
    }
}
