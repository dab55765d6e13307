// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import com.github.reservation.torture.Tables;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/**
 * Says whether all events of a run have arrived when all is quiet.
 *
 * <ol>
 *   <li>{@code outbox-delivered}: each listener has received each event of a transaction that was committed.
 *   <li>{@code outbox-committed}: no listener got an event of a transaction that was rolled back.
 *   <li>{@code outbox-left}: no delivery waits any more.
 * </ol>
 */
public final class EventAudit {

    private static final int MOST_FINDINGS = 20;

    private EventAudit() {}

    /**
     * Looks at the tables, when no worker runs any more.
     *
     * @param history what the workers have noted: also which events have arrived
     */
    public static Verdict of(DataSource dataSource, History history) {
        List<Finding> findings = new ArrayList<>();
        Map<String, List<Call>> deliveries = history.byKey("deliver");
        long committed = 0;
        for (List<String> row : Tables.query(dataSource, "SELECT event_key, last_step FROM torture_sequence")) {
            long last = Long.parseLong(row.get(1));
            committed += last;
            for (String listener : EventWorkload.LISTENERS) {
                String key = listener + '/' + row.get(0);
                check(key, last, deliveries.getOrDefault(key, List.of()), findings);
            }
        }
        Tables.query(dataSource, "SELECT event_id, listener_id FROM " + EventWorkload.EVENTS + "_DELIVERIES").stream()
                .limit(MOST_FINDINGS)
                .forEach(row -> findings.add(new Finding("outbox-left", "Event, listener: " + row)));
        return new Verdict(findings, Map.of("events", committed));
    }

    private static void check(String key, long last, List<Call> deliveries, List<Finding> findings) {
        Set<Long> received = deliveries.stream().filter(call -> call.has("received"))
                .map(call -> call.number("step")).collect(Collectors.toSet());
        LongStream.rangeClosed(1, last).filter(step -> !received.contains(step)).limit(MOST_FINDINGS)
                .forEach(step -> findings.add(new Finding(
                        "outbox-delivered", "Step " + step + " of " + last + " was not received: " + key)));
        deliveries.stream().filter(call -> call.number("step") > last).limit(MOST_FINDINGS)
                .forEach(call -> findings.add(new Finding(
                        "outbox-committed", "Only " + last + " steps were committed: " + call)));
    }
}
