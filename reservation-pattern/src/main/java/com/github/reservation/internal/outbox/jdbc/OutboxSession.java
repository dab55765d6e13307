// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.OutboxStore.Attempt;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.outbox.OutboxFailure;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** A session with the statements of an outbox, for what takes more than one of them. */
record OutboxSession(SqlSession sql, OutboxStatements statements) {

    /** What is recorded about a listener and an event that it has not received. */
    enum State {
        FAILED, HELD, PARKED
    }

    /** One event is no batch: pgjdbc lets the database parse and plan a batch of one each time. */
    void append(List<NewEvent> events) throws SQLException {
        if (events.size() == 1) {
            sql.update(statements.append, values(events.getFirst()));
            return;
        }
        if (statements.appendArrays.isPresent()) {
            sql.update(statements.appendArrays.get(), OutboxValues.of(Map.of(
                    "lanes", column(events, event -> String.valueOf(event.lane())),
                    "keyids", column(events, NewEvent::keyId),
                    "keys", column(events, NewEvent::key),
                    "types", column(events, NewEvent::type),
                    "payloads", column(events, NewEvent::payload))));
            return;
        }
        try (PreparedStatement statement = sql.prepareBatch(statements.append, events.size())) {
            for (NewEvent event : events) {
                statements.append.bind(statement, values(event));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static OutboxValues values(NewEvent event) {
        return OutboxValues.of(Map.of(
                "lane", event.lane(),
                "keyid", event.keyId(),
                "key", event.key(),
                "type", event.type(),
                "payload", event.payload()));
    }

    private static String[] column(List<NewEvent> events, Function<NewEvent, String> column) {
        return events.stream().map(column).toArray(String[]::new);
    }

    /** Cuts a list into parts that a statement has room for. */
    private static <T> List<List<T>> parts(List<T> all) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += OutboxStatements.LONGEST_LIST) {
            parts.add(all.subList(from, Math.min(all.size(), from + OutboxStatements.LONGEST_LIST)));
        }
        return parts;
    }

    /** Returns the lanes that nobody leases and that have an event of one of these types that is due for the listener. */
    List<Integer> dueLanes(Listener listener) throws SQLException {
        Set<Integer> lanes = new TreeSet<>();
        for (List<String> some : parts(listener.types())) {
            lanes.addAll(sql.query(
                    OutboxStatements.forList(statements.dueLanes, some.size()),
                    OutboxValues.withList(some, Map.of("listener", listener.id())),
                    row -> row.getInt(1)));
        }
        return List.copyOf(lanes);
    }

    /** Executes a statement for a list of ids; returns how many rows it changed. */
    int update(NavigableMap<Integer, SqlStatement> bySize, List<Long> ids, String listener) throws SQLException {
        int changed = 0;
        for (List<Long> some : parts(ids)) {
            changed += sql.update(
                    OutboxStatements.forList(bySize, some.size()),
                    OutboxValues.withList(some, Map.of("listener", listener)));
        }
        return changed;
    }

    /** Deletes the events that no other listener wants and about which nothing is recorded; returns how many it deleted. */
    int deleteOwn(List<Long> ids, String listener) throws SQLException {
        int deleted = 0;
        for (List<Long> some : parts(ids)) {
            SqlStatement delete = OutboxStatements.forList(statements.deleteOwn, some.size());
            OutboxValues values = OutboxValues.withList(some, Map.of("listener", listener));
            deleted += sql.dialect().relaxedCommit().isPresent()
                    ? sql.query(delete, values, row -> row.getInt(1)).getFirst()
                    : sql.update(delete, values);
        }
        return deleted;
    }

    /** Locks events in the order of their ids; returns those that are still there. */
    List<Long> lock(List<Long> ids) throws SQLException {
        List<Long> locked = new ArrayList<>();
        for (List<Long> some : parts(ids)) {
            locked.addAll(sql.query(
                    OutboxStatements.forList(statements.lock, some.size()),
                    OutboxValues.withList(some, Map.of()),
                    row -> row.getLong(1)));
        }
        return locked;
    }

    /**
     * Records what became of an attempt. The lock on the event keeps it from being removed meanwhile, which would leave a record of
     * nothing, and two instances from inserting at once.
     *
     * @return false if the event is gone, or if another instance has it by now
     */
    boolean record(String listener, Attempt attempt, State state, Duration due, String error) throws SQLException {
        long id = attempt.event().id();
        OutboxValues values = OutboxValues.of(Map.of(
                "listener", listener,
                "id", id,
                "state", state.name().toLowerCase(Locale.ROOT),
                "attempts", attempt.attempts(),
                "owner", attempt.owner(),
                "micros", SqlValues.micros(due),
                "error", error));
        return !lock(List.of(id)).isEmpty()
                && (sql.update(statements.records.update, values) > 0
                        || sql.update(statements.records.insert, values) > 0);
    }

    /**
     * Removes what a forgotten listener leaves, see {@link com.github.reservation.internal.outbox.OutboxStore#removeForgotten}. The lock on
     * the events waits for deliveries that still counted with the listener. After a page that is not full there may be new events, but none
     * that waits for the listener.
     */
    OptionalLong removeForgotten(String listener, long after) throws SQLException {
        List<Long> page = sql.query(
                statements.desk.nextEvents,
                OutboxValues.of(Map.of("id", after, "limit", OutboxStatements.LONGEST_LIST)),
                row -> row.getLong(1));
        List<Long> ids = lock(page);
        update(statements.desk.forgetEvents, ids, listener);
        update(statements.desk.forgetRecords, ids, listener);
        update(statements.deleteOrphans, ids, listener);
        if (page.size() == OutboxStatements.LONGEST_LIST) {
            return OptionalLong.of(page.getLast());
        }
        sql.update(statements.desk.forgetOtherRecords, OutboxValues.of(Map.of("listener", listener)));
        return OptionalLong.empty();
    }

    /** Returns the failures of events, by the id of the event. */
    Map<Long, List<OutboxFailure>> failures(List<Long> ids) throws SQLException {
        Map<Long, List<OutboxFailure>> failures = new HashMap<>();
        for (List<Long> some : parts(ids)) {
            sql.query(
                    OutboxStatements.forList(statements.desk.failures, some.size()),
                    OutboxValues.withList(some, Map.of()),
                    row -> failures.computeIfAbsent(row.getLong("event_id"), id -> new ArrayList<>())
                            .add(new OutboxFailure(
                                    row.getString("listener_id"),
                                    row.getInt("attempts"),
                                    row.getString("state").equals("parked"),
                                    row.getString("last_error"))));
        }
        return failures;
    }
}
