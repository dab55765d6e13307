// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.torture.check.Check;
import com.github.reservation.torture.check.Findings;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says whether the claims of a run kept their promises.
 *
 * <ol>
 *   <li>{@code claims}: the answers of all calls on a value are those of some order of the calls, see {@link ClaimModel}.
 *   <li>{@code claim-versions}: the version of a value never falls, and no two claims have the same one.
 *   <li>{@code claim-ends}: the end of a claim is told to listeners at most once, in all processes together. An outbox has one event of it at
 *       most, and delivers that if listeners of its process were told.
 * </ol>
 */
public final class ClaimCheck implements Check {

    private static final String[] CALLS = {
            "reserve", "reserve-idempotent", "confirm", "release", "extend", "release-confirmed", "find", "is-available"
    };

    private Findings findings = new Findings();
    private long undecided;

    @Override
    public Verdict of(History history) {
        findings = new Findings();
        undecided = 0;
        Map<String, List<Call>> byValue = history.byKey(CALLS);
        byValue.forEach((value, calls) -> {
            checkVersions(value, calls);
            if (findings.all().size() < Findings.MOST) {
                checkOrder(value, calls);
            }
        });
        List<Call> ends = history.of("claim-expired");
        List<Call> delivered = history.of("claim-expired-delivered");
        checkEnds(ends, delivered);
        List<Call> all = byValue.values().stream().flatMap(List::stream).toList();
        return new Verdict(findings.all(), Map.of(
                "claims", (long) all.size(),
                "claim-values", (long) byValue.size(),
                "claims-granted", count(all, "reserve", "success") + count(all, "reserve-idempotent", "success"),
                "claims-confirmed", count(all, "confirm", "success"),
                "claims-in-doubt", all.stream()
                        .filter(call -> call.has(Call.UNKNOWN) || call.has("failed")).count(),
                "claim-ends", (long) ends.size(),
                "claim-ends-delivered", (long) delivered.size(),
                "claim-values-undecided", undecided));
    }

    private static long count(List<Call> calls, String what, String result) {
        return calls.stream().filter(call -> call.is(what) && call.has(result)).count();
    }

    private void checkOrder(String value, List<Call> calls) {
        Linearization search = new Linearization(calls);
        switch (search.search()) {
            case LEGAL -> {
            }
            case UNDECIDED -> undecided++;
            case ILLEGAL -> findings.add(
                    "claims", "No order of the " + calls.size() + " calls on " + value + " explains their answers: "
                            + search.stuck());
        }
    }

    private void checkVersions(String value, List<Call> calls) {
        List<Call> shown = calls.stream()
                .filter(call -> call.fact("version").isPresent() && !call.has("rolled-back")).toList();
        List<Call> byEnd = shown.stream().sorted(Comparator.comparingLong(Call::end)).toList();
        Call highest = null;
        int ended = 0;
        Map<Long, Call> granted = new HashMap<>();
        for (Call call : shown) {
            for (; byEnd.get(ended).end() < call.start(); ended++) {
                Call other = byEnd.get(ended);
                highest = highest == null || other.number("version") > highest.number("version") ? other : highest;
            }
            if (highest != null && call.number("version") < highest.number("version")) {
                findings.add("claim-versions", "The version of " + value + " fell between " + highest + " and " + call);
            }
            Call same = call.has("success") ? granted.put(call.number("version"), call) : null;
            if (same != null) {
                findings.add("claim-versions",
                        "Two claims of " + value + " have one version: " + same + " and " + call);
            }
        }
    }

    private void checkEnds(List<Call> ends, List<Call> delivered) {
        Map<String, String> events = new HashMap<>();
        for (Call delivery : delivered) {
            String event = delivery.text("event");
            if (!events.computeIfAbsent(end(delivery), end -> event).equals(event)) {
                findings.add("claim-ends", "Another event was about this end of a claim: " + delivery);
            }
        }
        Set<String> told = new HashSet<>();
        for (Call end : ends) {
            if (!told.add(end(end))) {
                findings.add("claim-ends", "This end of a claim was told before: " + end);
            }
            if (Boolean.parseBoolean(end.text("outbox")) && !events.containsKey(end(end))) {
                findings.add("claim-ends", "The outbox has not delivered this end of a claim: " + end);
            }
        }
    }

    private static String end(Call call) {
        return call.key() + ' ' + call.text("at");
    }
}
