// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Check;
import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All checks of locks. What was granted is read from the history once for all of them. */
public final class LockChecks implements Check {

    private static final List<LockCheck> ALL = List.of(
            new ExclusionCheck(), new FenceCheck(), new JudgeCheck(), new LossCheck(), new RefusalCheck(),
            new ServiceCheck(), new KilledHolderCheck(), new HitCheck());

    @Override
    public Verdict of(History history) {
        Grants grants = Grants.in(history);
        List<Finding> findings = new ArrayList<>();
        Map<String, Long> counts = new HashMap<>();
        for (LockCheck check : ALL) {
            Verdict verdict = check.of(history, grants);
            findings.addAll(verdict.findings());
            counts.putAll(verdict.counts());
        }
        return new Verdict(findings, counts);
    }
}
