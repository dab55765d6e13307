// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The beginning of what happened to one key, as the model of leases takes it. */
public final class KeyHistory {

    private final Map<String, Call> grants = new HashMap<>();
    private final List<Call> calls;

    private KeyHistory(List<Call> ofKey, int most) {
        ofKey.stream().filter(call -> call.is("acquire") && call.has("granted"))
                .forEach(call -> grants.put(call.text("grant"), call));
        long cut = ofKey.size() > most ? ofKey.get(most).start() : Call.NEVER;
        calls = ofKey.stream().limit(most).filter(this::isKnown).map(call -> forModel(call, cut)).toList();
    }

    /** Returns the first calls of a key. What had not returned when the next one began has no known end. */
    public static List<Call> of(History history, String key, int most) {
        List<Call> ofKey = history.of("acquire", "renew", "unlock", "force", "lost").stream()
                .filter(call -> call.key().equals(key))
                // One that was lost before its holder asked for the token.
                .filter(call -> !call.fact("fence").orElse("").equals("-"))
                .toList();
        return new KeyHistory(ofKey, most).calls;
    }

    private boolean isKnown(Call call) {
        return !call.is("renew") && !call.is("unlock") || grants.containsKey(call.text("grant"));
    }

    private Call forModel(Call call, long cut) {
        Map<String, String> facts = new HashMap<>(call.facts());
        if (call.is("renew") || call.is("unlock")) {
            facts.put("fence", grants.get(call.text("grant")).text("fence"));
        }
        if (call.is("acquire") && (call.text("way").equals("HANDLE") || call.text("way").equals("RUN"))) {
            facts.put("autoRenew", "true");
        }
        boolean returned = call.end() < cut;
        return new Call(
                call.worker(),
                call.thread(),
                call.start(),
                returned ? call.end() : Call.NEVER,
                call.is("unlock") ? "release" : call.what(),
                call.key(),
                returned ? call.result() : Call.UNKNOWN,
                facts);
    }
}
