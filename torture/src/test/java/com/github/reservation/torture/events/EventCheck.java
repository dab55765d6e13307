// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import com.github.reservation.torture.check.Check;
import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Findings;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whether the deliveries of a run kept their promises.
 *
 * <ol>
 *   <li>{@code outbox-order}: when a listener gets an event, it has received the one before of the same key.
 *   <li>{@code outbox-committed}: no listener got two events of one step, that is one of a transaction that was rolled back.
 *   <li>{@code outbox-one-at-a-time}: no two deliveries of a key to a listener overlap, unless the first worker was stopped or cut off for more
 *       than half of the lease time. A delivery that its process did not survive counts as its start alone.
 * </ol>
 */
public final class EventCheck implements Check {

    private static final long LEASE = Outboxes.LEASE.toNanos();

    private Findings findings = new Findings();
    private long excused;

    @Override
    public Verdict of(History history) {
        findings = new Findings();
        excused = 0;
        Faults faults = Faults.in(history);
        List<Call> all = history.of("deliver");
        history.byKey("deliver").values().forEach(deliveries -> {
            checkOrder(deliveries);
            checkIdentity(deliveries);
            checkOneAtATime(deliveries, faults);
        });
        long received = all.stream().filter(call -> call.has("received")).count();
        return new Verdict(findings.all(), Map.of(
                "delivered", received,
                "deliveries-repeated", received - all.stream().filter(call -> call.has("received"))
                        .map(call -> call.key() + ' ' + call.text("step")).distinct().count(),
                "deliveries-failed", all.stream().filter(call -> call.has("threw")).count(),
                "deliveries-interrupted", all.stream().filter(call -> call.has(Call.UNKNOWN)).count(),
                "deliveries-at-once-excused", excused));
    }

    private void checkOrder(List<Call> deliveries) {
        Map<Long, Long> received = new HashMap<>();
        deliveries.stream().filter(call -> call.has("received"))
                .forEach(call -> received.merge(call.number("step"), call.end(), Math::min));
        for (Call delivery : deliveries) {
            long before = delivery.number("step") - 1;
            Long end = received.get(before);
            if (before > 0 && (end == null || end > delivery.start())) {
                findings.add("outbox-order",
                        "Step " + before + " was " + (end == null ? "never received" : "received later")
                                + ": " + delivery);
            }
        }
    }

    /** A step is taken by one committed transaction: a second event of it was appended by one that was rolled back. */
    private void checkIdentity(List<Call> deliveries) {
        Map<Long, String> events = new HashMap<>();
        for (Call delivery : deliveries) {
            String event = delivery.fact("event").orElse("");
            if (!events.computeIfAbsent(delivery.number("step"), step -> event).equals(event)) {
                findings.add("outbox-committed", "Another event was about this step: " + delivery);
            }
        }
    }

    private void checkOneAtATime(List<Call> deliveries, Faults faults) {
        Call last = null;
        for (Call delivery : deliveries) {
            if (last != null && delivery.start() < last.end()) {
                // The second one may be the one that was suspended: after it had read the event, and before it delivered it.
                if (isExcused(last, delivery, faults) || isExcused(delivery, delivery, faults)) {
                    excused++;
                } else {
                    findings.add("outbox-one-at-a-time", "At once: " + last + " and " + delivery);
                }
            }
            if (!delivery.has(Call.UNKNOWN) && (last == null || delivery.end() > last.end())) {
                last = delivery;
            }
        }
    }

    private static boolean isExcused(Call delivery, Call second, Faults faults) {
        return faults.longestDisturbance(delivery.worker(), delivery.start() - LEASE, second.start()) >= LEASE / 2;
    }
}
