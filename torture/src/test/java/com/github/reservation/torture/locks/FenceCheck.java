// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * <b>fence-unique</b>: no two acquisitions of a key have the same fencing token. <b>fence-order</b>: an acquisition that began after another
 * one had returned has the greater token.
 */
final class FenceCheck implements LockCheck {

    @Override
    public Verdict of(History history, Grants grants) {
        List<Finding> findings = new ArrayList<>();
        long compared = 0;
        for (List<Grant> ofKey : grants.byKey().values()) {
            List<Grant> fenced = ofKey.stream().filter(grant -> grant.fence().isPresent()).toList();
            findings.addAll(repeated(fenced));
            findings.addAll(outOfOrder(fenced));
            compared += fenced.size();
        }
        return new Verdict(findings, Map.of("fences", compared));
    }

    private static List<Finding> repeated(List<Grant> grants) {
        List<Finding> findings = new ArrayList<>();
        Map<Long, Grant> seen = new HashMap<>();
        for (Grant grant : grants) {
            Grant other = seen.put(grant.fence().getAsLong(), grant);
            if (other != null) {
                findings.add(new Finding("fence-unique", grant.key() + ":\n  " + other + "\n  " + grant));
            }
        }
        return findings;
    }

    private static List<Finding> outOfOrder(List<Grant> grants) {
        List<Finding> findings = new ArrayList<>();
        PriorityQueue<Grant> returning =
                new PriorityQueue<>(Comparator.comparingLong(grant -> grant.acquire().end()));
        Grant greatest = null;
        for (Grant grant : grants) {
            while (!returning.isEmpty() && returning.peek().acquire().end() < grant.acquire().start()) {
                Grant returned = returning.remove();
                greatest = greatest == null || isGreater(returned, greatest) ? returned : greatest;
            }
            if (greatest != null && isGreater(greatest, grant)) {
                findings.add(new Finding("fence-order", grant.key() + ":\n  " + greatest + "\n  " + grant));
            }
            returning.add(grant);
        }
        return findings;
    }

    private static boolean isGreater(Grant one, Grant other) {
        return one.fence().getAsLong() > other.fence().getAsLong();
    }
}
