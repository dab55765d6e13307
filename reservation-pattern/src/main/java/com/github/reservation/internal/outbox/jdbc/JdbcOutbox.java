// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.Registration;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.internal.outbox.jdbc.OutboxSession.State;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxFailure;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * An outbox in tables. Most operations are one statement, on a connection of its own in autocommit. The others are transactions at READ
 * COMMITTED. They lock events in the order of their ids, and then what is recorded about them. An event that is there stays there
 * while something is recorded about it, so no record is left of an event that is gone. Each can be repeated if its reply was lost.
 */
public final class JdbcOutbox implements OutboxStore {

    /** The table that the DDL creates. */
    public static final TableName DEFAULT_EVENTS = new TableName("RESERVATION_OUTBOX");

    /** What the name of the DDL adds to that of the database. */
    public static final String DDL = "-outbox";

    /** The error of an attempt without one. */
    private static final String NOT_BACK = "not back yet";

    private final SqlTable table;
    private final TableSessions<OutboxStatements> sessions;
    private final Optional<Announcements> announcements;

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
            OutboxTableCheck.run(session, statements, table);
            return statements;
        });
        this.announcements = notifications.map(source -> new Announcements(source, table.name()));
    }

    @Override
    public void append(Connection connection, List<NewEvent> events) throws StoreException {
        sessions.join(connection, table.queryTimeout(), (session, statements) -> {
            new OutboxSession(session, statements).append(events);
            if (statements.announce.isPresent() && announcements.filter(Announcements::isDue).isPresent()) {
                session.execute(statements.announce.get(), Params.NONE);
            }
            return events.size();
        });
    }

    @Override
    public Registration onAppend(Runnable appended) {
        return announcements.map(notifying -> notifying.subscribe(appended)).orElse(() -> {});
    }

    /** The lanes come first: from the row of the listener on, its events are kept. */
    @Override
    public boolean register(Listener listener) throws StoreException {
        Params params = Params.of("listener", listener.id());
        List<Integer> lanes = sessions.use((sql, statements) -> {
            requireCommittedReads(sql.connection());
            return sql.query(statements.listeners.lanes, params, row -> row.getInt(1));
        });
        if (lanes.size() < LANES) {
            sessions.transact((sql, statements) -> insertLanes(sql, statements.listeners, listener.id(), lanes));
        }
        List<String> types = sessions
                .use((sql, statements) -> sql.query(statements.listeners.types, params, row -> row.getString(1)));
        if (!sessions.use((sql, statements) -> addTypes(sql, statements.listeners, listener, types))) {
            throw alsoRegistered(listener.id());
        }
        return types.isEmpty();
    }

    private static void requireCommittedReads(Connection connection) throws SQLException, StoreException {
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            throw new StoreException(Kind.MISCONFIGURED, "The connections of the outbox are at READ UNCOMMITTED:"
                    + " it would deliver events of transactions that roll back. Use READ COMMITTED or higher");
        }
    }

    private static StoreException alsoRegistered(String listener) {
        return new StoreException(Kind.CONTENTION, "Another instance registers listener " + listener);
    }

    private static int insertLanes(SqlSession sql, ListenerStatements statements, String listener,
            List<Integer> present)
            throws SQLException, StoreException {
        for (int lane = 0; lane < LANES; lane++) {
            Params params = Params.of("listener", listener, "lane", lane);
            if (!present.contains(lane) && !insert(sql, statements.insertLane, params)) {
                throw alsoRegistered(listener);
            }
        }
        return LANES;
    }

    /**
     * Adds types and takes none away: an older instance, which does not know all types, must not make the others forget them.
     *
     * @return false if another instance did the same meanwhile
     */
    private static boolean addTypes(SqlSession sql, ListenerStatements statements, Listener listener,
            List<String> stored)
            throws SQLException {
        Set<String> types = new TreeSet<>(listener.types());
        stored.forEach(old -> types.addAll(List.of(old.substring(1, old.length() - 1).split(","))));
        String all = ',' + String.join(",", types) + ',';
        if (stored.isEmpty()) {
            return insert(sql, statements.insert, Params.of("listener", listener.id(), "types", all));
        }
        String old = stored.getFirst();
        return all.equals(old) || sql.update(statements.update,
                Params.of("listener", listener.id(), "types", all, "old", old)) > 0;
    }

    /** Inserts a row; returns whether it was not there. */
    private static boolean insert(SqlSession sql, SqlStatement insert, Params params)
            throws SQLException {
        try {
            sql.update(insert, params);
            return true;
        } catch (SQLException e) {
            if (sql.dialect().isDuplicateKey(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public List<Integer> dueLanes(Listener listener) throws StoreException {
        return sessions.use((sql, statements) -> new OutboxSession(sql, statements).dueLanes(listener));
    }

    @Override
    public boolean take(String listener, int lane, String owner, Duration lease) throws StoreException {
        Params params = Params.of(
                "listener", listener, "lane", lane, "owner", owner, "micros", lease);
        return sessions.use((sql, statements) -> sql.update(statements.take, params) > 0);
    }

    @Override
    public void release(String listener, int lane, String owner) throws StoreException {
        Params params = Params.of("listener", listener, "lane", lane, "owner", owner);
        sessions.use((sql, statements) -> sql.update(statements.release, params));
    }

    @Override
    public List<StoredEvent> read(String listener, int lane) throws StoreException {
        Params params = Params.of("listener", listener, "lane", lane);
        return sessions.use((sql, statements) -> sql.query(statements.read, params, row -> new StoredEvent(
                row.getLong("id"),
                row.getString("key_id"),
                row.getString("event_key"),
                row.getString("event_type"),
                row.getString("payload"),
                created(row),
                row.getInt("attempts"))));
    }

    private static Instant created(ResultSet row) throws SQLException {
        return Instant.EPOCH.plus(row.getLong("created"), ChronoUnit.MICROS);
    }

    /**
     * One statement is enough for most events. But it judges by what was recorded when it began: if it waits for an instance that
     * records something about an event, it deletes the event and leaves the record.
     */
    @Override
    public void complete(String listener, List<StoredEvent> events, boolean alone) throws StoreException {
        List<Long> ids = events.stream().map(StoredEvent::id).sorted().toList();
        if (!alone || sessions
                .use((sql, statements) -> new OutboxSession(sql, statements).deleteOwn(ids, listener)) < ids.size()) {
            sessions.transact(
                    (sql, statements) -> completeWithOthers(new OutboxSession(sql, statements), listener, ids));
        }
    }

    /** The locks let one listener go first: the second one then sees what the first has recorded. */
    private static int completeWithOthers(OutboxSession session, String listener, List<Long> ids)
            throws SQLException {
        List<Long> left = session.lock(ids);
        session.update(session.statements().updateDone, left, listener);
        session.update(session.statements().insertDone, left, listener);
        session.update(session.statements().deleteComplete, left, listener);
        return session.update(session.statements().deleteOrphans, ids, listener);
    }

    @Override
    public boolean fail(String listener, Attempt attempt, Duration pause, String error) throws StoreException {
        return sessions.transact((sql, statements) -> new OutboxSession(sql, statements).record(listener, attempt,
                State.FAILED, pause, error));
    }

    @Override
    public boolean park(String listener, Attempt attempt, String error) throws StoreException {
        return sessions.transact((sql, statements) -> new OutboxSession(sql, statements).record(listener, attempt,
                State.PARKED, Duration.ZERO, error));
    }

    @Override
    public boolean hold(String listener, Attempt attempt, Duration lease) throws StoreException {
        return sessions.transact((sql, statements) -> new OutboxSession(sql, statements).record(listener, attempt,
                State.HELD, lease, NOT_BACK));
    }

    @Override
    public void undoHold(String listener, long id, String owner) throws StoreException {
        sessions.use((sql, statements) -> {
            Params params = Params.of("listener", listener, "id", id, "owner", owner);
            sql.update(statements.records.undoHold, params);
            return sql.update(statements.records.deleteUnused, params);
        });
    }

    @Override
    public boolean renewHold(String listener, long id, String owner, Duration lease) throws StoreException {
        Params params = Params.of(
                "listener", listener, "id", id, "owner", owner, "micros", lease);
        return sessions.use((sql, statements) -> sql.update(statements.records.renewHold, params) > 0);
    }

    @Override
    public OutboxBacklog backlog() throws StoreException {
        return sessions.use((sql, statements) -> {
            Params none = Params.NONE;
            long parked =
                    sql.query(statements.desk.countParked, none, row -> row.getLong(1)).getFirst();
            return sql.query(statements.desk.backlog, none, row -> {
                long events = row.getLong("events");
                return new OutboxBacklog(
                        Math.max(0, events - parked),
                        parked,
                        events == 0 ? Optional.empty() : Optional.of(SqlValues.duration(row, "age_micros")));
            }).getFirst();
        });
    }

    @Override
    public List<OutboxEntry> list(OutboxQuery query) throws StoreException {
        Params params = Params.of("id", query.afterId(), "limit", query.limit());
        return sessions.use((sql, statements) -> {
            SqlStatement list =
                    query.parkedOnly() ? statements.desk.listParked : statements.desk.list;
            List<OutboxEntry> entries = sql.query(list, params, row -> new OutboxEntry(
                    row.getLong("id"),
                    row.getString("event_key"),
                    row.getString("event_type"),
                    row.getString("payload"),
                    created(row),
                    List.of()));
            Map<Long, List<OutboxFailure>> failures =
                    new OutboxSession(sql, statements).failures(entries.stream().map(OutboxEntry::id).toList());
            return entries.stream().map(entry -> new OutboxEntry(
                    entry.id(),
                    entry.key(),
                    entry.type(),
                    entry.payload(),
                    entry.createdAt(),
                    failures.getOrDefault(entry.id(), List.of()))).toList();
        });
    }

    @Override
    public boolean retry(long id) throws StoreException {
        return sessions.use((sql, statements) -> sql.update(statements.desk.retry,
                Params.of("id", id)) > 0);
    }

    @Override
    public boolean discard(long id) throws StoreException {
        return sessions.transact((sql, statements) -> {
            boolean there =
                    sql.update(statements.desk.discard, Params.of("id", id)) > 0;
            sql.update(statements.desk.discardRecords, Params.of("id", id));
            return there;
        });
    }

    /**
     * The listener is gone for all before the events are searched. In one transaction, a delivery of another listener that commits
     * meanwhile would still wait for it, and the search would not see the delivery: the event would stay.
     */
    @Override
    public boolean forget(String listener) throws StoreException {
        Params params = Params.of("listener", listener);
        return sessions.transact((sql, statements) -> {
            boolean known = sql.update(statements.desk.forgetListener, params) > 0;
            sql.update(statements.desk.forgetLanes, params);
            return known;
        });
    }

    @Override
    public OptionalLong removeForgotten(String listener, long after) throws StoreException {
        return sessions
                .transact((sql, statements) -> new OutboxSession(sql, statements).removeForgotten(listener, after));
    }
}
