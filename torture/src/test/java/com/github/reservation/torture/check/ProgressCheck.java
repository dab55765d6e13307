// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.check;

import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * <b>nobody-stuck</b>: at the end, all threads of all workers return. <b>nothing-left</b>: no thread of the library lives on, and no
 * connection is missing. <b>defects</b>: no call failed in a way that the library does not announce.
 */
public final class ProgressCheck implements Check {

    @Override
    public Verdict of(History history) {
        List<Finding> findings = new ArrayList<>();
        for (Call left : history.of("left")) {
            require(left, "stuck", "[]", "nobody-stuck", findings);
            require(left, "threads", "[]", "nothing-left", findings);
            require(left, "connections", "0", "nothing-left", findings);
        }
        for (Call defect : history.of("defect")) {
            findings.add(new Finding("defects", defect.toString()));
        }
        return new Verdict(findings, Map.of("workers that stopped", (long) history.of("left").size()));
    }

    private static void require(Call left, String fact, String expected, String rule, List<Finding> findings) {
        if (!left.text(fact).equals(expected)) {
            findings.add(new Finding(rule, fact + " at " + left.worker() + ": " + left.text(fact)));
        }
    }
}
