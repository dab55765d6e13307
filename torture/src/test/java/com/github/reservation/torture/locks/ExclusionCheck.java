// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * <b>exclusive</b>: no two holders of a key trust their leases at the same time. A holder's time begins when its call returns. It ends when
 * it begins to release, when its trust ends, when it is told of a loss, or when an administrator takes the key away.
 */
final class ExclusionCheck implements LockCheck {

    /** A forced release that was not answered is done by then, or never. */
    private static final long AFTERLIFE = TimeUnit.SECONDS.toNanos(15);

    private record Interval(Grant grant, long from, long until) {}

    @Override
    public Verdict of(History history, Grants grants) {
        Map<String, List<Call>> forces = history.byKey("force");
        Map<String, Long> told = new HashMap<>();
        history.of("lost").forEach(lost -> told.merge(Grant.titleOf(lost), lost.start(), Math::min));
        List<Finding> findings = new ArrayList<>();
        long contended = 0;
        for (Map.Entry<String, List<Grant>> entry : grants.byKey().entrySet()) {
            List<Interval> intervals = entry.getValue().stream()
                    .flatMap(grant -> trusted(
                            grant,
                            forces.getOrDefault(entry.getKey(), List.of()),
                            told.getOrDefault(grant.title(), Long.MAX_VALUE)).stream())
                    .sorted(Comparator.comparingLong(Interval::from))
                    .toList();
            findings.addAll(overlaps(intervals));
            contended += contended(entry.getValue());
        }
        return new Verdict(
                findings,
                Map.of(
                        "grants", (long) grants.all().size(),
                        "contended grants", contended,
                        "forced releases", (long) history.of("force").size()));
    }

    private static List<Interval> trusted(Grant grant, List<Call> forces, long told) {
        List<Interval> intervals = new ArrayList<>();
        for (Grant.Trust trust : grant.trusts()) {
            long until = Math.min(Math.min(trust.until(), grant.reliedUntil()), told);
            for (Call force : forces) {
                // It may have taken the key between its start and its end, or later, if the reply was lost. What the holder has asked for
                // afterwards is not concerned.
                boolean before = (force.has("done") ? force.end() : force.start() + AFTERLIFE) < trust.asked();
                if (!before) {
                    until = Math.min(until, Math.max(force.start(), trust.from()));
                }
            }
            if (until > trust.from()) {
                intervals.add(new Interval(grant, trust.from(), until));
            }
        }
        return intervals;
    }

    /** Compares each interval with the one that ends last of those before it. */
    private static List<Finding> overlaps(List<Interval> intervals) {
        List<Finding> findings = new ArrayList<>();
        Interval last = null;
        for (Interval next : intervals) {
            if (last != null && next.from() < last.until() && next.grant() != last.grant()) {
                findings.add(new Finding(
                        "exclusive",
                        next.grant().key() + " was held twice for " + (last.until() - next.from()) / 1_000 + " µs:\n  "
                                + last.grant() + "\n  " + next.grant()));
            }
            if (last == null || next.until() > last.until()) {
                last = next;
            }
        }
        return findings;
    }

    /** Counts those who asked while another one held the key. */
    private static long contended(List<Grant> grants) {
        long contended = 0;
        long busyUntil = Long.MIN_VALUE;
        for (Grant grant : grants) {
            if (grant.acquire().start() < busyUntil) {
                contended++;
            }
            busyUntil = Math.max(busyUntil, Math.min(grant.reliedUntil(), grant.lastTrust()));
        }
        return contended;
    }
}
