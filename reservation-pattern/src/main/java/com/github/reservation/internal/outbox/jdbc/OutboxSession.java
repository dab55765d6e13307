// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.OutboxStore.Attempt;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.outbox.OutboxFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/** A session with the statements of an outbox, for what takes more than one of them. */
record OutboxSession(SqlSession sql, OutboxStatements statements) {

    /** What is recorded about a listener and an event that it has not received. */
    enum State {
        FAILED, HELD, PARKED
    }

    /** One event is no batch: pgjdbc lets the database parse and plan a batch of one each time. */
    void append(List<NewEvent> events) throws SQLException {
        if (events.size() == 1) {
            sql.update(statements.append, paramsOf(events.getFirst()));
            return;
        }
        if (statements.appendArrays.isPresent()) {
            sql.update(statements.appendArrays.get(), Params.of(
                    "lanes", sql.textsOf(events, event -> String.valueOf(event.lane())),
                    "keyids", sql.textsOf(events, NewEvent::keyId),
                    "keys", sql.textsOf(events, NewEvent::key),
                    "types", sql.textsOf(events, NewEvent::type),
                    "payloads", sql.textsOf(events, NewEvent::payload)));
            return;
        }
        sql.updateEach(statements.append, events, OutboxSession::paramsOf);
    }

    private static Params paramsOf(NewEvent event) {
        return Params.of(
                "lane", event.lane(),
                "keyid", event.keyId(),
                "key", event.key(),
                "type", event.type(),
                "payload", event.payload());
    }

    /** Returns the lanes that nobody leases and that have an event of one of these types that is due for the listener. */
    List<Integer> dueLanes(Listener listener) throws SQLException {
        Params params = Params.of("names", listener.types(), "listener", listener.id());
        return List.copyOf(new TreeSet<>(sql.query(statements.dueLanes, params, row -> row.getInt(1))));
    }

    /** Executes a statement for a list of ids; returns how many rows it changed. */
    int update(SqlList update, List<Long> ids, String listener) throws SQLException {
        return sql.update(update, Params.of("ids", ids, "listener", listener));
    }

    /** Deletes the events that no other listener wants and about which nothing is recorded; returns how many it deleted. */
    int deleteOwn(List<Long> ids, String listener) throws SQLException {
        if (sql.dialect().relaxedCommit().isEmpty()) {
            return update(statements.deleteOwn, ids, listener);
        }
        Params params = Params.of("ids", ids, "listener", listener);
        return sql.query(statements.deleteOwn, params, row -> row.getInt(1)).stream().mapToInt(Integer::intValue).sum();
    }

    /** Locks events in the order of their ids; returns those that are still there. */
    List<Long> lock(List<Long> ids) throws SQLException {
        return sql.query(statements.lock, Params.of("ids", ids), row -> row.getLong(1));
    }

    /**
     * Records what became of an attempt. The lock on the event keeps it from being removed meanwhile, which would leave a record of
     * nothing, and two instances from inserting at once.
     *
     * @return false if the event is gone, or if another instance has it by now
     */
    boolean record(String listener, Attempt attempt, State state, Duration due, String error) throws SQLException {
        long id = attempt.event().id();
        Params params = Params.of(
                "listener", listener,
                "id", id,
                "state", state.name().toLowerCase(Locale.ROOT),
                "attempts", attempt.attempts(),
                "owner", attempt.owner(),
                "micros", due,
                "error", error);
        return !lock(List.of(id)).isEmpty()
                && (sql.update(statements.records.update, params) > 0
                        || sql.update(statements.records.insert, params) > 0);
    }

    /**
     * Removes what a forgotten listener leaves, see {@link com.github.reservation.internal.outbox.OutboxStore#removeForgotten}. The lock on
     * the events waits for deliveries that still counted with the listener. After a page that is not full there may be new events, but none
     * that waits for the listener.
     */
    OptionalLong removeForgotten(String listener, long after) throws SQLException {
        List<Long> page = sql.query(
                statements.desk.nextEvents,
                Params.of("id", after, "limit", SqlList.LONGEST),
                row -> row.getLong(1));
        List<Long> ids = lock(page);
        update(statements.desk.forgetEvents, ids, listener);
        update(statements.desk.forgetRecords, ids, listener);
        update(statements.deleteOrphans, ids, listener);
        if (page.size() == SqlList.LONGEST) {
            return OptionalLong.of(page.getLast());
        }
        sql.update(statements.desk.forgetOtherRecords, Params.of("listener", listener));
        return OptionalLong.empty();
    }

    /** Returns the failures of events, by the id of the event. */
    Map<Long, List<OutboxFailure>> failures(List<Long> ids) throws SQLException {
        Map<Long, List<OutboxFailure>> failures = new HashMap<>();
        sql.query(
                statements.desk.failures,
                Params.of("ids", ids),
                row -> failures.computeIfAbsent(row.getLong("event_id"), id -> new ArrayList<>())
                        .add(new OutboxFailure(
                                row.getString("listener_id"),
                                row.getInt("attempts"),
                                row.getString("state").equals("parked"),
                                row.getString("last_error"))));
        return failures;
    }
}
