// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlSession;
import com.github.reservation.internal.sql.SqlValues;
import com.github.reservation.outbox.OutboxEntry;
import com.github.reservation.outbox.OutboxFailure;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What operators read. */
record OutboxDesk(SqlSession sql, DeskStatements statements) {

    List<RegisteredListener> listeners() throws SQLException {
        Map<String, Map<String, Instant>> types = new TreeMap<>();
        sql.query(statements.registered, Params.NONE, row -> types
                .computeIfAbsent(row.getString("listener_id"), id -> new TreeMap<>())
                .put(row.getString("event_type"), JdbcOutbox.time(row, "seen")));
        Map<String, RegisteredListener> listeners = new TreeMap<>();
        types.forEach((id, own) -> listeners.put(id, new RegisteredListener(id, own, 0, 0, Optional.empty())));
        sql.query(statements.waiting, Params.NONE, row -> {
            String id = row.getString("listener_id");
            long parked = row.getLong("parked");
            return listeners.put(id, new RegisteredListener(
                    id,
                    types.getOrDefault(id, Map.of()),
                    Math.max(0, row.getLong("waiting") - parked),
                    parked,
                    Optional.of(SqlValues.duration(row, "age"))));
        });
        return List.copyOf(listeners.values());
    }

    /** Returns the next ids that a query means; none only if there are no more. */
    List<Long> ids(OutboxQuery query, boolean failed, int limit) throws SQLException {
        DeskStatements.Ids ids = failed || query.parkedOnly() ? statements.failedIds : statements.waitingIds;
        Params params = Params.of(
                "listener", query.listener().orElse(OutboxStatements.ANY),
                "type", query.type().orElse(OutboxStatements.ANY),
                "keyid", query.key().map(KeyIds::of).orElse(OutboxStatements.ANY),
                "state", query.parkedOnly() ? "parked" : OutboxStatements.ANY);
        long last = lastId();
        List<Long> meant = new ArrayList<>();
        long end = query.afterId();
        do {
            long start = end;
            end = endOfSlice(ids, start, last);
            Params slice = params.and("id", start, "last", end, "limit", limit - meant.size());
            meant.addAll(end > 0 ? sql.query(ids.meant(), slice, row -> row.getLong(1)) : List.of());
        } while (end > 0 && meant.size() < limit);
        return meant;
    }

    /** Returns the highest id for which something waits: what is appended later is not looked for. */
    long lastId() throws SQLException {
        return sql.query(statements.last, Params.NONE, row -> row.getLong(1)).getFirst();
    }

    /** Returns the last id of the next slice of what waits; 0 if there is none. */
    long endOfSlice(long id, long last) throws SQLException {
        return endOfSlice(statements.waitingIds, id, last);
    }

    private long endOfSlice(DeskStatements.Ids ids, long id, long last) throws SQLException {
        return sql.query(ids.end(), Params.of("id", id, "last", last), row -> row.getLong(1)).getFirst();
    }

    /** Lists the next events; none only if there are no more: those that were found may be delivered before they are read. */
    List<OutboxEntry> list(OutboxQuery query, long bytes) throws SQLException {
        List<Long> ids = ids(query, false, query.limit());
        List<OutboxEntry> entries = entries(ids, bytes);
        while (entries.isEmpty() && !ids.isEmpty()) {
            ids = ids(query.after(ids.getFirst()), false, query.limit()); // Of the others, not all need have been read.
            entries = entries(ids, bytes);
        }
        return entries;
    }

    private List<OutboxEntry> entries(List<Long> ids, long bytes) throws SQLException {
        Map<Long, Integer> sizes = new TreeMap<>();
        Map<Long, List<String>> listeners = new HashMap<>();
        Map<Long, List<OutboxFailure>> failures = new HashMap<>();
        sql.query(statements.deliveries, Params.of("ids", ids), row -> {
            long id = row.getLong("event_id");
            String listener = row.getString("listener_id");
            int attempts = row.getInt("attempts");
            if (attempts > 0) {
                failures.computeIfAbsent(id, one -> new ArrayList<>()).add(new OutboxFailure(
                        listener, attempts, row.getInt("parked") > 0, row.getString("error")));
            }
            sizes.put(id, row.getInt("bytes"));
            return listeners.computeIfAbsent(id, one -> new ArrayList<>()).add(listener);
        });
        return sql.query(statements.events, Params.of("ids", first(sizes, bytes)), row -> {
            long id = row.getLong("id");
            return new OutboxEntry(
                    id,
                    row.getString("event_key"),
                    row.getString("event_type"),
                    row.getString("payload"),
                    JdbcOutbox.time(row, "created"),
                    listeners.getOrDefault(id, List.of()),
                    failures.getOrDefault(id, List.of()));
        });
    }

    /** Returns the first events whose sizes are so many bytes together, but at least one. */
    private static List<Long> first(Map<Long, Integer> sizes, long bytes) {
        List<Long> first = new ArrayList<>();
        long upto = 0;
        for (Map.Entry<Long, Integer> event : sizes.entrySet()) {
            upto += event.getValue();
            if (upto <= bytes || first.isEmpty()) {
                first.add(event.getKey());
            }
        }
        return first;
    }
}
