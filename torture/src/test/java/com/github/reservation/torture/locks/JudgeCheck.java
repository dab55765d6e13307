// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the judge has seen. <b>exclusive</b>: no writer trusted its lease beside another one. <b>fenced-write</b>: the write of a holder that
 * trusts its lease is never refused for a greater token. <b>fence-unique</b>: no two writers had the same token. A holder from whom an
 * administrator may have taken the key is left out.
 */
final class JudgeCheck implements LockCheck {

    private static final long AFTER_FORCE = TimeUnit.SECONDS.toNanos(15);

    @Override
    public Verdict of(History history, Grants grants) {
        Map<String, List<Call>> forces = history.byKey("force");
        List<Finding> findings = new ArrayList<>();
        long late = 0;
        long stopped = 0;
        for (Call judged : history.of("judged")) {
            boolean trusted = judged.text("trusted").equals("true");
            boolean accepted = judged.text("accepted").equals("true");
            long known = Stream.of(judged.text("grant"), judged.text("beside"))
                    .map(grants.byName()::get)
                    .filter(Objects::nonNull)
                    .mapToLong(grant -> grant.trusts().getFirst().asked()).min().orElse(0);
            boolean forced = forces.getOrDefault(judged.key(), List.of()).stream()
                    .anyMatch(force -> force.start() < judged.start()
                            && (force.has("done") ? force.end() : force.start() + AFTER_FORCE) > known);
            if (trusted && !forced && !judged.text("beside").equals("-")) {
                findings.add(new Finding("exclusive", "the judge saw two holders: " + judged));
            }
            if (trusted && !forced && !accepted) {
                findings.add(new Finding("fenced-write", "a holder was refused: " + judged));
            }
            if (judged.text("repeated").equals("true")) {
                findings.add(new Finding("fence-unique", "the judge saw it twice: " + judged));
            }
            late += trusted ? 0 : 1;
            stopped += trusted || accepted ? 0 : 1;
        }
        return new Verdict(findings, Map.of("late writes", late, "late writes that fencing stopped", stopped));
    }
}
