// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * <b>refused-for-a-reason</b>: who does not wait is refused only if another one may have the key: a holder, a request whose fate is unknown,
 * or a node that waits and whose turn it may be.
 */
final class RefusalCheck implements LockCheck {

    /** For how long a request, or the turn of a node, may live on after its caller has given up. */
    private static final long AFTERLIFE = TimeUnit.SECONDS.toNanos(3);

    @Override
    public Verdict of(History history, Grants grants) {
        Faults faults = Faults.in(history);
        Map<String, Long> lastSeen = history.lastSeen();
        List<Finding> findings = new ArrayList<>();
        long refusals = 0;
        for (Map.Entry<String, List<Call>> entry : history.byKey("acquire").entrySet()) {
            TreeMap<Long, Long> busyUntil = new TreeMap<>();
            List<Call> disturbed = new ArrayList<>();
            long latest = Long.MIN_VALUE;
            for (Call call : entry.getValue()) { // in the order of their starts
                if (isRefused(call) && faults.anyBetween(call.start() - AFTERLIFE, call.end())) {
                    disturbed.add(call);
                } else {
                    latest = Math.max(latest, busyUntil(call, grants, faults, lastSeen));
                }
                busyUntil.put(call.start(), latest);
            }
            for (Call call : entry.getValue()) {
                if (isRefused(call)) {
                    refusals++;
                    if (busyUntil.floorEntry(call.end()).getValue() < call.start()
                            && !isBehindAnother(call, disturbed)) {
                        findings.add(new Finding("refused-for-a-reason", "nobody had the key: " + call));
                    }
                }
            }
        }
        return new Verdict(findings, Map.of("refusals", refusals));
    }

    private static boolean isRefused(Call call) {
        return call.has("refused") && call.number("wait") == 0;
    }

    /** If a fault came between, the first request of a call may still be on its way, although a later one was refused. */
    private static boolean isBehindAnother(Call call, List<Call> disturbed) {
        return disturbed.stream()
                .anyMatch(other -> other != call && other.start() <= call.end() && afterlife(other) >= call.start());
    }

    private static long afterlife(Call call) {
        return call.end() + TimeUnit.MILLISECONDS.toNanos(call.number("lease")) + AFTERLIFE;
    }

    /** Returns until when a call may have kept others from the key. One that was refused, and did not wait, kept nobody from it. */
    private static long busyUntil(
            Call call, Grants grants, Faults faults, Map<String, Long> lastSeen) {
        if (call.has("granted")) {
            Grant grant = grants.byName().get(call.text("grant"));
            boolean surelyReleased = grant.release().filter(release -> release.has("released")).isPresent();
            if (!surelyReleased) {
                return grant.leaseEnd() + AFTERLIFE;
            }
            long end = grant.release().orElseThrow().end();
            // A lost request may arrive late, and what was released may be back after a crash.
            return faults.anyBetween(call.start() - AFTERLIFE, end + AFTERLIFE) ? grant.leaseEnd() + AFTERLIFE : end;
        }
        if (call.has("refused")) {
            return call.number("wait") > 0 ? afterlife(call) : Long.MIN_VALUE;
        }
        long end = call.end() == Call.NEVER ? lastSeen.get(call.worker()) + AFTERLIFE : call.end();
        return end + TimeUnit.MILLISECONDS.toNanos(call.number("lease")) + AFTERLIFE;
    }
}
