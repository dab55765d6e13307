// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.check;

import java.util.List;
import java.util.Map;

/**
 * What a check says of a history.
 *
 * @param findings the promises that were broken
 * @param counts what it has looked at, by name: for example how many grants. A run whose counts are too small is no proof
 */
public record Verdict(List<Finding> findings, Map<String, Long> counts) {

    public Verdict {
        findings = List.copyOf(findings);
        counts = Map.copyOf(counts);
    }
}
