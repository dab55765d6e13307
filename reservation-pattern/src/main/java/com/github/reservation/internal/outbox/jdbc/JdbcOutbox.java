// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.Registration;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * An outbox in tables. Most operations are one statement, on a connection of its own in autocommit. The others are transactions at READ
 * COMMITTED. They lock a lane or keys first, and then change deliveries.
 *
 * <p>Nothing locks an event. A process that ends between two statements may leave an event for which there is no delivery: a purge
 * removes it. A delivery may be left without its event: then who reads it completes it.
 */
public final class JdbcOutbox implements OutboxStore, PurgingStore {

    /** The table that the DDL creates. */
    public static final TableName DEFAULT_EVENTS = new TableName("RESERVATION_OUTBOX");

    /** What the name of the DDL adds to that of the database. */
    public static final String DDL = "-outbox";

    private final SqlTable table;
    private final TableSessions<OutboxStatements> sessions;
    private final Optional<Announcements> announcements;

    /** The last event that was purged, or need not be. */
    private final AtomicLong purged = new AtomicLong();

    /**
     * Makes a store.
     *
     * @param table the table of events, whose name begins the names of the others
     * @param notifications where to listen for notifications of PostgreSQL; empty to neither listen nor notify
     */
    public JdbcOutbox(SqlTable table, Optional<DataSource> notifications) {
        this.table = table;
        this.sessions = new TableSessions<>(table, session -> {
            OutboxStatements statements = new OutboxStatements(session.dialect(), table.name());
            new OutboxTableCheck(session, statements, table).run();
            return statements;
        });
        this.announcements = notifications.map(source -> new Announcements(source, table.name()));
    }

    /** An operation on the tables. */
    @FunctionalInterface
    private interface Work<T> {
        T execute(OutboxSession session) throws SQLException, StoreException;
    }

    private <T> T use(Work<T> work) throws StoreException {
        return sessions.use((sql, statements) -> work.execute(new OutboxSession(sql, statements)));
    }

    private <T> T transact(Work<T> work) throws StoreException {
        return sessions.transact((sql, statements) -> work.execute(new OutboxSession(sql, statements)));
    }

    @Override
    public Set<String> append(Connection connection, List<NewEvent> events) throws StoreException {
        Set<String> types = events.stream().map(NewEvent::type).collect(Collectors.toCollection(TreeSet::new));
        return sessions.join(connection, table.queryTimeout(), (sql, statements) -> {
            boolean appended = types.removeAll(new OutboxSession(sql, statements).append(events));
            if (appended && statements.append.announce.isPresent()
                    && announcements.filter(Announcements::isDue).isPresent()) {
                sql.execute(statements.append.announce.get(), Params.NONE);
            }
            return types;
        });
    }

    @Override
    public Registration onAppend(Runnable appended) {
        return announcements.map(notifying -> notifying.subscribe(appended)).orElse(() -> {});
    }

    /** The lanes come first: from its first type on, its events are kept. */
    @Override
    public Set<String> register(Listener listener) throws StoreException {
        Params params = Params.of("listener", listener.id());
        Set<String> types = new TreeSet<>(listener.types());
        List<Integer> lanes = use(session -> {
            requireCommittedReads(session.sql().connection());
            types.removeAll(session.see(listener));
            session.undoStepBack(params);
            return session.sql().query(session.statements().listeners.lanes, params, row -> row.getInt(1));
        });
        if (lanes.size() < LANES) {
            transact(session -> session.insertLanes(listener.id(), lanes));
        }
        return types.isEmpty() ? types : transact(session -> session.insertTypes(listener, types));
    }

    private static void requireCommittedReads(Connection connection) throws SQLException, StoreException {
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            throw new StoreException(Kind.MISCONFIGURED, "The connections of the outbox are at READ UNCOMMITTED:"
                    + " it would deliver events of transactions that roll back. Use READ COMMITTED or higher");
        }
    }

    @Override
    public List<Wanted> absent(Duration since) throws StoreException {
        return sessions.use((sql, statements) -> sql.query(statements.listeners.absent, Params.of("micros", since),
                row -> new Wanted(row.getString(1), row.getString(2))));
    }

    @Override
    public boolean unregister(String listener, Optional<String> type, Optional<Duration> unseenFor)
            throws StoreException {
        Params params = Params.of(
                "listener", listener,
                "type", type.orElse(OutboxStatements.ANY),
                "state", unseenFor.isPresent() ? "absent" : OutboxStatements.ANY,
                "micros", unseenFor.orElse(Duration.ZERO));
        return sessions.use((sql, statements) -> sql.execute(statements.listeners.forget, params));
    }

    @Override
    public void removeLanes(String listener) throws StoreException {
        transact(session -> session.removeLanes(listener));
    }

    @Override
    public OptionalInt nextLane(String listener, int from) throws StoreException {
        return use(
                session -> session.first(listener, from, LANES - 1)
                        .map(lane -> OptionalInt.of(lane.intValue()))
                        .orElse(OptionalInt.empty()));
    }

    @Override
    public List<DueKey> nextKeys(String listener, int limit) throws StoreException {
        Params params = Params.of("listener", listener, "limit", limit);
        return sessions.use((sql, statements) -> sql.query(statements.keys.next, params,
                row -> new DueKey(row.getString(1), Duration.of(row.getLong(2), ChronoUnit.MICROS))));
    }

    @Override
    public boolean take(String listener, int lane, String owner, Duration lease) throws StoreException {
        Params params = Params.of("listener", listener, "lane", lane, "owner", owner, "micros", lease);
        return sessions.use((sql, statements) -> sql.execute(statements.lanes.take, params));
    }

    @Override
    public boolean release(String listener, int lane, String owner) throws StoreException {
        Params params = Params.of("listener", listener, "lane", lane, "owner", owner);
        return sessions.use((sql, statements) -> sql.execute(statements.lanes.release, params));
    }

    @Override
    public Optional<OwnLane> takeKey(String listener, String keyId, String owner, Duration lease)
            throws StoreException {
        Params params = Params.of("listener", listener, "keyid", keyId, "owner", owner, "micros", lease);
        return sessions.use((sql, statements) -> {
            sql.update(statements.keys.take, params);
            return sql.queryOne(statements.keys.taken, params,
                    row -> new OwnLane(row.getLong(1), row.getLong(2), row.getInt(3)));
        });
    }

    @Override
    public StoredPage read(String listener, long lane, long bytes) throws StoreException {
        return use(session -> session.read(listener, lane, bytes));
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS);
    }

    @Override
    public int move(String listener, List<StoredEvent> events) throws StoreException {
        return transact(session -> session.moveAll(listener, events));
    }

    @Override
    public int complete(String listener, List<StoredEvent> events) throws StoreException {
        List<Long> ids = OutboxSession.idsOf(events);
        Optional<SqlList> atOnce = sessions.statements().flatMap(statements -> statements.lanes.complete);
        if (atOnce.isPresent()) {
            if (use(session -> session.complete(atOnce.get(), listener, ids))) {
                return 0;
            }
        } else {
            List<Params> deliveries =
                    ids.stream().map(id -> Params.of("id", id, "listener", listener)).toList();
            transact(session -> session.updateEach(session.statements().lanes.removeDelivery, deliveries));
        }
        return removeUnwanted(ids);
    }

    /** The deliveries are gone for all. So the later one of two listeners sees that nobody waits for an event, and removes it. */
    private int removeUnwanted(List<Long> ids) throws StoreException {
        List<Long> unwanted = ids.isEmpty() ? ids : use(session -> session.unwanted(ids));
        if (!unwanted.isEmpty()) {
            List<Params> events = unwanted.stream().map(id -> Params.of("id", id)).toList();
            transact(session -> session.updateEach(session.statements().lanes.removeEvent, events));
        }
        return ids.size() - unwanted.size();
    }

    @Override
    public boolean open(String listener, int shared, String owner, List<StoredEvent> events, KeyState state)
            throws StoreException {
        boolean opened = transact(session -> session.open(listener, shared, owner, events, state));
        unblock(listener, events.getFirst().keyId(), state);
        return opened;
    }

    /** A discard that commits meanwhile finds the key under way, and so does not make it due. */
    private void unblock(String listener, String keyId, KeyState state) throws StoreException {
        if (!state.underWay()) {
            unblock(Params.of("listener", listener, "keyid", keyId));
        }
    }

    private void unblock(Params key) throws StoreException {
        sessions.use((sql, statements) -> sql.update(statements.keys.unblock, key));
    }

    @Override
    public boolean record(String listener, String keyId, String owner, KeyState state) throws StoreException {
        boolean recorded = use(session -> session.record(listener, keyId, owner, state));
        unblock(listener, keyId, state);
        return recorded;
    }

    @Override
    public boolean leave(String listener, String keyId, String owner, int attempts) throws StoreException {
        return transact(session -> session.leave(listener, keyId, owner, attempts));
    }

    @Override
    public List<RegisteredListener> listeners() throws StoreException {
        return sessions.use((sql, statements) -> new OutboxDesk(sql, statements.desk).listeners());
    }

    @Override
    public long lastId() throws StoreException {
        return sessions.use((sql, statements) -> new OutboxDesk(sql, statements.desk).lastId());
    }

    @Override
    public List<OutboxEntry> list(OutboxQuery query, long bytes) throws StoreException {
        return sessions.use((sql, statements) -> new OutboxDesk(sql, statements.desk).list(query, bytes));
    }

    @Override
    public List<Long> ids(OutboxQuery query, boolean failed) throws StoreException {
        return sessions.use((sql, statements) -> new OutboxDesk(sql, statements.desk).ids(query, failed, MANY));
    }

    @Override
    public int retry(List<Long> ids, Optional<String> listener) throws StoreException {
        Params params = Params.of("ids", ids, "listener", listener.orElse(OutboxStatements.ANY));
        return sessions.transact((sql, statements) -> sql.update(statements.desk.retry, params));
    }

    @Override
    public int discard(List<Long> ids, Optional<String> listener) throws StoreException {
        Params params = Params.of("ids", ids, "listener", listener.orElse(OutboxStatements.ANY));
        int discarded = transact(session -> {
            session.sql().update(session.statements().desk.retry, params);
            return session.discard(ids, listener);
        });
        removeUnwanted(ids);
        retry(ids, listener); // Those that were under way.
        return discarded;
    }

    @Override
    public Object purgeScope() {
        return new PurgeScope(table.dataSource(), table.name(), Optional.empty());
    }

    /**
     * Removes events for which there is no delivery: looks at the next ones each time, and then begins again. Makes parked keys due whose
     * event is gone: one may be delivered after all, by an instance that has lost its lease.
     */
    @Override
    public boolean purge() throws StoreException {
        List<Long> page = sessions.use((sql, statements) -> {
            requireCommittedReads(sql.connection());
            return sql.query(statements.desk.nextEvents, Params.of("id", purged.get()), row -> row.getLong(1));
        });
        removeUnwanted(page);
        boolean more = page.size() == MANY;
        purged.set(more ? page.getLast() : 0);
        if (!more) {
            unblockStuck();
        }
        return more;
    }

    private void unblockStuck() throws StoreException {
        List<Params> stuck = sessions.use((sql, statements) -> sql.query(statements.keys.stuck, Params.NONE,
                row -> Params.of("listener", row.getString(1), "keyid", row.getString(2))));
        for (Params key : stuck) {
            unblock(key);
        }
    }
}
