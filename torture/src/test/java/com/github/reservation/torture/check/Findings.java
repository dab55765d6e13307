// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.check;

import java.util.ArrayList;
import java.util.List;

/** Collects findings, and only the first ones of each rule: a rule that is broken thousands of times is broken. */
public final class Findings {

    /** How many of a rule are kept. */
    public static final int MOST = 20;

    private final List<Finding> found = new ArrayList<>();

    public void add(String rule, String details) {
        if (found.stream().filter(finding -> finding.rule().equals(rule)).count() < MOST) {
            found.add(new Finding(rule, details));
        }
    }

    public List<Finding> all() {
        return found;
    }
}
