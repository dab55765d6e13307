// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.PurgingStore;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Leases in a table: one statement for each operation, on a connection of its own, in autocommit. */
public final class JdbcLeases implements PurgingStore {

    private static final int PURGE_LIMIT = 1_000;

    /** Longer than anybody waits, and short enough for all databases: Oracle's intervals end at 2^31 seconds. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(20_000);

    private final LockTable table;
    private final KnownKeys known = new KnownKeys();
    private final Optional<Duration> purgeAfter;

    public JdbcLeases(JdbcSettings settings) {
        this.table = new LockTable(settings);
        this.purgeAfter = settings.purgeAfter();
    }

    /**
     * Takes the key, in one statement if nobody else wants it.
     *
     * <ol>
     *   <li>A key that had a row a moment ago is updated, if it is free. If not, one look tells what is in the way.
     *   <li>Any other key, and one whose row is gone, is upserted; where there is no upsert, updated and then inserted.
     * </ol>
     */
    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return table.use(session -> {
            boolean hasRow = known.contains(request.lease().key());
            boolean updateFirst = switch (session.dialect().upsert()) {
                case ON_CONFLICT, MERGE -> hasRow;
                case ON_DUPLICATE_KEY -> false; // It tells of a refusal in the same statement.
                case NONE -> true;
            };
            try {
                Acquisition answer = updateFirst ? update(session, request, hasRow) : upsert(session, request);
                known.add(request.lease().key()); // Granted or refused, there is a row.
                return answer;
            } catch (SQLException e) {
                return overtaken(session, request, e);
            }
        });
    }

    private static Acquisition update(Session session, AcquireRequest request, boolean hasRow) throws SQLException {
        try (PreparedStatement statement = session.dialect().hasReturning()
                ? session.prepare(session.statements().update)
                : session.prepareWithFence(session.statements().update)) {
            statement.setString(1, request.lease().holder());
            statement.setLong(2, micros(request.leaseTime()));
            statement.setString(3, request.lease().key());
            bindAgain(session, statement, 4, request.lease().key());
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
        Optional<StoredLease> inTheWay = hasRow ? find(session, request.lease().key()) : Optional.empty();
        return inTheWay.isPresent()
                ? new Acquisition.Refused(inTheWay.get().remaining(), false)
                : upsert(session, request);
    }

    private static Acquisition upsert(Session session, AcquireRequest request) throws SQLException {
        return switch (session.dialect().upsert()) {
            case ON_CONFLICT, ON_DUPLICATE_KEY -> insertReturning(session, request);
            case MERGE, NONE -> insertCounting(session, request);
        };
    }

    private static Acquisition insertReturning(Session session, AcquireRequest request) throws SQLException {
        try (PreparedStatement statement = session.prepare(session.statements().acquire)) {
            bind(statement, request);
            if (session.dialect().upsert() == Dialect.Upsert.ON_DUPLICATE_KEY) {
                statement.setString(4, request.lease().holder());
            }
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return row.getBoolean("granted")
                            ? new Acquisition.Granted(fence(row))
                            : new Acquisition.Refused(remaining(row), false);
                }
            }
        }
        return refused(session, request.lease().key());
    }

    private static Acquisition insertCounting(Session session, AcquireRequest request) throws SQLException {
        try (PreparedStatement statement = session.prepareWithFence(session.statements().acquire)) {
            bind(statement, request);
            if (statement.executeUpdate() > 0) {
                return new Acquisition.Granted(generatedFence(session, statement));
            }
        } catch (SQLException e) {
            // Two that insert the same new key at once: one of them finds the row of the other.
            if (!session.dialect().isDuplicateKey(e)) {
                throw e;
            }
        }
        return refused(session, request.lease().key());
    }

    private static void bind(PreparedStatement statement, AcquireRequest request) throws SQLException {
        statement.setString(1, request.lease().key());
        statement.setString(2, request.lease().holder());
        statement.setLong(3, micros(request.leaseTime()));
    }

    /**
     * Looks who was faster when the statement was undone because of a race. Above READ COMMITTED that is what PostgreSQL
     * says to whoever meets somebody else at the row; on a busy key more often than the core would try again.
     */
    private static Acquisition overtaken(Session session, AcquireRequest request, SQLException e) throws SQLException {
        if (SqlFailures.kindOf(e, session.dialect()) != StoreException.Kind.CONTENTION) {
            throw e;
        }
        Optional<StoredLease> found = find(session, request.lease().key());
        if (found.isEmpty() && !request.waits()) {
            throw e; // It may well be free: not to be told as "no".
        }
        return new Acquisition.Refused(found.map(StoredLease::remaining).orElse(Duration.ZERO), false);
    }

    /** Says how long the lease in the way still runs; if it is gone by now, it is worth asking again at once. */
    private static Acquisition refused(Session session, String key) throws SQLException {
        Duration remaining = find(session, key).map(StoredLease::remaining).orElse(Duration.ZERO);
        return new Acquisition.Refused(remaining, false);
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
        return table.use(session -> leases.size() == 1
                ? releaseOne(session, leases.iterator().next())
                : updateEach(session, session.statements().releaseMany, leases, null));
    }

    private static Set<LeaseId> releaseOne(Session session, LeaseId lease) throws SQLException {
        try (PreparedStatement statement = session.prepare(session.statements().release)) {
            statement.setString(1, lease.key());
            statement.setString(2, lease.holder());
            bindAgain(session, statement, 3, lease.key(), lease.holder());
            return hasEffect(statement) ? Set.of(lease) : Set.of();
        }
    }

    /** A statement that returns rows has one for each that it changed; another one counts them. */
    private static boolean hasEffect(PreparedStatement statement) throws SQLException {
        if (!statement.execute()) {
            return statement.getUpdateCount() > 0;
        }
        try (ResultSet rows = statement.getResultSet()) {
            return rows.next();
        }
    }

    /** Runs the statement for each lease in one batch, in the order of the keys so that two of them cannot deadlock. */
    private static Set<LeaseId> updateEach(
            Session session, String sql, Collection<LeaseId> leases, @Nullable Long micros) throws SQLException {
        List<LeaseId> ordered =
                leases.stream().sorted(Comparator.comparing(LeaseId::key)).toList();
        try (PreparedStatement statement = session.prepare(sql)) {
            for (LeaseId lease : ordered) {
                int index = 1;
                if (micros != null) {
                    statement.setLong(index++, micros);
                }
                statement.setString(index++, lease.key());
                statement.setString(index++, lease.holder());
                bindAgain(session, statement, index, lease.key(), lease.holder());
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
        return table.use(session -> {
            try (PreparedStatement statement = session.prepare(session.statements().forceRelease)) {
                statement.setString(1, key);
                bindAgain(session, statement, 2, key);
                return statement.executeUpdate() > 0;
            }
        });
    }

    /** Binds what the statement compares once more where it compares it twice; those parameters come last. */
    private static void bindAgain(Session session, PreparedStatement statement, int index, String... texts)
            throws SQLException {
        if (session.dialect().comparesByLanguage()) {
            for (int i = 0; i < texts.length; i++) {
                statement.setString(index + i, texts[i]);
            }
        }
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
    private static List<StoredLease> select(Session session, String sql, String bound, Predicate<String> wanted)
            throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            statement.setString(1, bound);
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
            int purged = 0;
            List<String> dead = findDead(session, micros, limit);
            try (PreparedStatement purge = session.prepare(session.statements().purge)) {
                for (String key : dead) {
                    purge.setString(1, key);
                    purge.setLong(2, micros);
                    purged += purge.executeUpdate();
                }
            }
            return purged;
        });
    }

    private static List<String> findDead(Session session, long micros, int limit) throws SQLException {
        try (PreparedStatement statement = session.prepare(session.statements().findDead)) {
            statement.setLong(1, micros);
            statement.setInt(2, limit);
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
        if (!session.statements().fenced()) {
            return OptionalLong.empty();
        }
        try (ResultSet keys = statement.getGeneratedKeys()) {
            return keys.next() ? OptionalLong.of(keys.getLong(1)) : OptionalLong.empty();
        }
    }

    private static Duration remaining(ResultSet row) throws SQLException {
        return Duration.of(Math.max(0, row.getLong("remaining")), ChronoUnit.MICROS);
    }

    private static long micros(Duration duration) {
        Duration capped = duration.compareTo(LONGEST_LEASE) < 0 ? duration : LONGEST_LEASE;
        return capped.dividedBy(ChronoUnit.MICROS.getDuration());
    }
}
