// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.outbox.OutboxStore.KeyState;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.outbox.OutboxStore.StoredPage;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.outbox.OutboxStart;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** A session with the statements of an outbox, for what takes more than one of them. */
record OutboxSession(SqlSession sql, OutboxStatements statements) {

    private static final String NOBODY = "-";

    /** MySQL's driver executes a batch one by one, and has one time limit for all of it. */
    private static final int LARGEST_BATCH = 100;

    /** Appends events; returns the types that somebody wants. */
    Set<String> append(List<NewEvent> events) throws SQLException {
        Optional<AppendStatements.AtOnce> atOnce = statements.append.atOnce;
        if (atOnce.isEmpty()) {
            return append(events, statements.append.steps.orElseThrow());
        }
        // One event is no array: its plan is simpler.
        List<String> wanted = events.size() == 1
                ? sql.query(atOnce.get().one(), one(events.getFirst()), row -> row.getString(1))
                : sql.query(atOnce.get().several(), several(events), row -> row.getString(1));
        return Set.copyOf(wanted);
    }

    private Params one(NewEvent event) throws SQLException {
        return paramsOf(event).and("listeners", sql.textsOf(List.copyOf(event.listeners()), id -> id));
    }

    private static Params paramsOf(NewEvent event) {
        return Params.of(
                "key", event.key(),
                "type", event.type(),
                "payload", event.payload(),
                "lane", event.lane(),
                "keyid", event.keyId(),
                "bytes", event.bytes());
    }

    private Params several(List<NewEvent> events) throws SQLException {
        List<String[]> own = ownOf(events).entrySet().stream()
                .flatMap(type -> type.getValue().stream().map(listener -> new String[]{type.getKey(), listener}))
                .toList();
        return Params.of(
                "wanted", sql.textsOf(own, pair -> pair[0]),
                "listeners", sql.textsOf(own, pair -> pair[1]),
                "lanes", sql.textsOf(events, event -> String.valueOf(event.lane())),
                "keyids", sql.textsOf(events, NewEvent::keyId),
                "keys", sql.textsOf(events, NewEvent::key),
                "types", sql.textsOf(events, NewEvent::type),
                "payloads", sql.textsOf(events, NewEvent::payload),
                "bytes", sql.textsOf(events, event -> String.valueOf(event.bytes())));
    }

    /** Returns who of this instance wants events, by their types. */
    private static Map<String, Set<String>> ownOf(List<NewEvent> events) {
        Map<String, Set<String>> own = new TreeMap<>();
        events.forEach(event -> own.computeIfAbsent(event.type(), type -> new TreeSet<>()).addAll(event.listeners()));
        return own;
    }

    /** A batch returns no generated keys on Oracle, and not on all settings of others. */
    private Set<String> append(List<NewEvent> events, AppendStatements.Steps steps) throws SQLException {
        Map<String, Set<String>> wanted = ownOf(events);
        Params types = Params.of("types", List.copyOf(wanted.keySet()));
        sql.query(steps.wanted(), types, row -> wanted
                .computeIfAbsent(row.getString(1), type -> new TreeSet<>())
                .add(row.getString(2)));
        List<Params> deliveries = new ArrayList<>();
        for (NewEvent event : events) {
            Set<String> listeners = wanted.getOrDefault(event.type(), Set.of());
            if (!listeners.isEmpty()) {
                Params params = paramsOf(event);
                long id = sql.updateReturning(steps.event(), params, row -> row.getLong(1), "ID").orElseThrow();
                listeners.forEach(listener -> deliveries.add(params.and("id", id, "listener", listener)));
            }
        }
        updateEach(steps.delivery(), deliveries);
        wanted.values().removeIf(Set::isEmpty);
        return wanted.keySet();
    }

    /** Executes a statement for each row, in batches; returns how many rows it changed. */
    int updateEach(SqlStatement statement, List<Params> rows) throws SQLException {
        int changed = 0;
        for (int from = 0; from < rows.size(); from += LARGEST_BATCH) {
            List<Params> batch = rows.subList(from, Math.min(rows.size(), from + LARGEST_BATCH));
            for (int count : sql.updateEach(statement, batch, row -> row)) {
                changed += count == 0 ? 0 : 1; // Not every driver counts.
            }
        }
        return changed;
    }

    /** Sees a listener again; returns its types that are known. In their order, so that two instances do not wait for each other. */
    List<String> see(Listener listener) throws SQLException {
        Params params = Params.of("listener", listener.id());
        List<String> known = sql.query(statements.listeners.types, params, row -> row.getString(1));
        List<String> seen = known.stream().filter(listener.types()::contains).sorted().toList();
        sql.updateEach(statements.listeners.seen, seen, type -> params.and("type", type));
        return known;
    }

    /** Only the key that is due last is looked at, whatever waits: if the clock was set back by much, that key waits for too long. */
    void undoStepBack(Params listener) throws SQLException {
        if (sql.queryOne(statements.keys.last, listener, row -> row.getInt(1)).orElse(0) > 0) {
            sql.update(statements.keys.dueNow, listener);
        }
    }

    /** Inserts the lanes that a listener lacks. */
    int insertLanes(String listener, List<Integer> present) throws SQLException, StoreException {
        for (int lane = 0; lane < OutboxStore.LANES; lane++) {
            if (!present.contains(lane)) {
                insert(statements.listeners.insertLane, Params.of("listener", listener, "lane", lane));
            }
        }
        return OutboxStore.LANES;
    }

    /** Removes the lanes of a listener that is not registered, see {@link OutboxStore#removeLanes}. */
    int removeLanes(String listener) throws SQLException {
        Params params = Params.of("listener", listener);
        if (sql.queryOne(statements.listeners.types, params, row -> true).isPresent()) {
            return 0; // Its keys need not wait for this.
        }
        sql.query(statements.keys.lockAllOf, params, row -> true);
        sql.update(statements.listeners.forgetKeys, params);
        return sql.update(statements.listeners.forgetLanes, params);
    }

    /** Inserts types that are new; has events delivered that are kept for others, if the listener begins with them. */
    Set<String> insertTypes(Listener listener, Set<String> types) throws SQLException, StoreException {
        for (String type : types) {
            insert(statements.listeners.insert, Params.of("listener", listener.id(), "type", type));
        }
        if (listener.start() == OutboxStart.KEPT_EVENTS) {
            Params params = Params.of("listener", listener.id(), "types", List.copyOf(types));
            for (Params part : statements.listeners.kept.parts(params)) {
                insertKept(statements.listeners.kept.forSizeOf(part), part);
            }
        }
        return types;
    }

    /** Goes on with what is appended meanwhile, but not for ever: each time must be shorter than the one before. */
    private void insertKept(SqlStatement kept, Params params) throws SQLException {
        OutboxDesk desk = new OutboxDesk(sql, statements.desk);
        long start = 0;
        int before;
        int slices = Integer.MAX_VALUE;
        do {
            before = slices;
            slices = 0;
            long last = desk.lastId();
            for (long end = desk.endOfSlice(start, last); end > 0; end = desk.endOfSlice(start, last)) {
                insertSlice(kept, params, start, end);
                start = end;
                slices++;
            }
        } while (slices > 0 && slices < before);
    }

    private void insertSlice(SqlStatement kept, Params params, long start, long end) throws SQLException {
        List<Params> slice = sql.query(kept, params.and("id", start, "last", end), row -> {
            String keyId = row.getString("key_id");
            return params.and("id", row.getLong("event_id"), "lane", KeyIds.laneOf(keyId),
                    "keyid", keyId, "bytes", row.getInt("bytes"));
        });
        updateEach(statements.listeners.insertKept, slice);
    }

    private void insert(SqlStatement insert, Params params) throws SQLException, StoreException {
        try {
            sql.update(insert, params);
        } catch (SQLException e) {
            if (sql.dialect().isDuplicateKey(e)) {
                throw new StoreException(Kind.CONTENTION, "Another instance registers the same listener", e);
            }
            throw e;
        }
    }

    /** Reads the first deliveries of a lane, see {@link OutboxStore#read}. */
    StoredPage read(String listener, long lane, long bytes) throws SQLException {
        AtomicInteger found = new AtomicInteger();
        List<StoredEvent> here = new ArrayList<>();
        List<StoredEvent> elsewhere = new ArrayList<>();
        sql.query(statements.lanes.read, Params.of("listener", listener, "lane", lane, "budget", bytes), row -> {
            found.set(row.getInt("found"));
            return (row.getInt("elsewhere") > 0 ? elsewhere : here).add(eventOf(row));
        });
        return new StoredPage(
                here, elsewhere, found.get() == OutboxStore.PAGE || found.get() > here.size() + elsewhere.size());
    }

    private static StoredEvent eventOf(ResultSet row) throws SQLException {
        String payload = row.getString("payload");
        return new StoredEvent(
                row.getLong("event_id"),
                row.getString("key_id"),
                payload == null ? "" : row.getString("event_key"),
                payload == null ? "" : row.getString("event_type"),
                payload,
                JdbcOutbox.time(row, "created"));
    }

    /** Removes deliveries and the events that nobody else seems to wait for; returns whether those are all events. */
    boolean complete(SqlList complete, String listener, List<Long> ids) throws SQLException {
        return sql.query(complete, rangeOf(listener, ids), row -> row.getInt(1)).stream()
                .mapToInt(Integer::intValue).sum() == ids.size();
    }

    /** Removes the deliveries of events: those of one listener, or of all; returns how many there were. */
    int discard(List<Long> ids, Optional<String> listener) throws SQLException {
        List<Params> deliveries = new ArrayList<>();
        sql.query(statements.desk.deliveries, Params.of("ids", ids), row -> {
            String id = row.getString("listener_id");
            return listener.orElse(id).equals(id)
                    && deliveries.add(Params.of("id", row.getLong("event_id"), "listener", id));
        });
        return updateEach(statements.lanes.removeDelivery, deliveries);
    }

    /** Returns those of the events that nobody waits for. Only a new listener that begins with kept events may begin to wait for one now. */
    List<Long> unwanted(List<Long> ids) throws SQLException {
        Set<Long> waiting =
                Set.copyOf(sql.query(statements.lanes.waiting, Params.of("ids", ids), row -> row.getLong(1)));
        return ids.stream().filter(id -> !waiting.contains(id)).toList();
    }

    /** Gives a key its own lane, see {@link OutboxStore#open}. The lock on the shared lane lets nobody else do so. */
    boolean open(String listener, int shared, String owner, List<StoredEvent> events, KeyState state)
            throws SQLException {
        StoredEvent head = events.getFirst();
        Params params = paramsOf(listener, head.keyId(), owner, state).and("lane", -head.id());
        Params lane = Params.of("listener", listener, "lane", shared, "owner", owner);
        if (sql.queryOne(statements.lanes.lock, lane, row -> true).isEmpty()) {
            return false;
        }
        if (sql.queryOne(statements.keys.lane, params, row -> true).isPresent()) {
            return record(listener, head.keyId(), owner, state); // Opened by this owner, if the reply got lost.
        }
        sql.update(statements.keys.insert, params);
        move(listener, events);
        return true;
    }

    private static Params paramsOf(String listener, String keyId, String owner, KeyState state) {
        return Params.of(
                "listener", listener,
                "keyid", keyId,
                "owner", owner,
                "next", state.underWay() ? owner : NOBODY,
                "state", state.underWay() ? "held" : state.dueIn().isPresent() ? "failed" : "parked",
                "head", state.head(),
                "attempts", state.attempts(),
                "micros", state.dueIn().orElse(Duration.ZERO),
                "error", state.error());
    }

    private void move(String listener, Collection<StoredEvent> events) throws SQLException {
        if (!events.isEmpty()) {
            sql.update(statements.lanes.move, rangeOf(listener, idsOf(events)));
        }
    }

    private static Params rangeOf(String listener, List<Long> sorted) {
        return Params.of("listener", listener, "ids", sorted, "first", sorted.getFirst(), "last", sorted.getLast());
    }

    static List<Long> idsOf(Collection<StoredEvent> events) {
        return events.stream().map(StoredEvent::id).sorted().toList();
    }

    /** Moves deliveries to the lanes of their keys. Those whose lane is locked cannot be closed meanwhile. */
    int moveAll(String listener, List<StoredEvent> events) throws SQLException {
        List<String> keyIds = events.stream().map(StoredEvent::keyId).distinct().sorted().toList();
        Params params = Params.of("listener", listener, "keyids", keyIds);
        Set<String> open = Set.copyOf(sql.query(statements.keys.lockAll, params, row -> row.getString(1)));
        move(listener, events.stream().filter(event -> open.contains(event.keyId())).toList());
        return open.size();
    }

    /** Changes what is known of a key, see {@link OutboxStore#record}. */
    boolean record(String listener, String keyId, String owner, KeyState state) throws SQLException {
        return sql.execute(statements.keys.record, paramsOf(listener, keyId, owner, state));
    }

    /** Gives a key back. Its lock lets a delivery that is moved to its lane be seen here, or not be moved. */
    boolean leave(String listener, String keyId, String owner, int attempts) throws SQLException {
        Params params = Params.of("listener", listener, "keyid", keyId, "owner", owner, "attempts", attempts);
        Optional<Long> lane = sql.queryOne(statements.keys.lock, params, row -> row.getLong(1));
        return lane.isPresent() && sql.execute(
                first(listener, lane.get(), lane.get()).isPresent() ? statements.keys.free : statements.keys.close,
                params);
    }

    /** Returns the first lane of these that has a delivery. */
    Optional<Long> first(String listener, long from, long to) throws SQLException {
        Params params = Params.of("listener", listener, "lane", from, "last", to);
        return sql.queryOne(statements.lanes.first, params, row -> row.getLong(1));
    }
}
