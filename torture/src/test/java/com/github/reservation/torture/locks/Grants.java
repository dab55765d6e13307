// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All acquisitions of a history, by key and in the order of their requests. */
record Grants(Map<String, List<Grant>> byKey, Map<String, Grant> byName) {

    static Grants in(History history) {
        Map<String, Grant> byName = new HashMap<>();
        Map<String, List<Grant>> byKey = new HashMap<>();
        for (Call acquire : history.of("acquire")) {
            if (acquire.has("granted")) {
                Grant grant = new Grant(acquire);
                byName.put(grant.name(), grant);
                byKey.computeIfAbsent(acquire.key(), key -> new ArrayList<>()).add(grant);
            }
        }
        for (Call call : history.of("renew", "holds", "unlock")) {
            Grant grant = byName.get(call.text("grant"));
            switch (call.what()) {
                case "renew" -> grant.renewed(call);
                case "holds" -> grant.held(call);
                default -> grant.released(call);
            }
        }
        byKey.values().forEach(grants -> grants.sort(Comparator.comparingLong(grant -> grant.acquire().start())));
        return new Grants(byKey, byName);
    }

    List<Grant> of(String key) {
        return byKey.getOrDefault(key, List.of());
    }

    List<Grant> all() {
        return byKey.values().stream().flatMap(List::stream).toList();
    }
}
