// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.claim.ClaimToken;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What the threads of a worker know about values: the tokens that they got, and the entities that have a value. */
final class KnownClaims {

    private static final int MOST = 200;

    private final Map<String, ClaimToken> tokens = newest();
    private final Map<String, ClaimToken> before = newest();
    private final Map<String, String> entities = newest();

    private static <V> Map<String, V> newest() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > MOST;
            }
        };
    }

    synchronized void reserved(String value, ClaimToken token) {
        ClaimToken old = tokens.put(value, token);
        if (old != null) {
            before.put(value, old);
        }
    }

    synchronized void belongsTo(String value, String entity) {
        entities.put(value, entity);
    }

    /** Returns the last token of the value; now and then the one before, or that of another value. */
    synchronized Optional<ClaimToken> token(String value, RandomGenerator random) {
        int draw = random.nextInt(20);
        if (draw == 0) {
            return tokens.values().stream().skip(random.nextInt(Math.max(1, tokens.size()))).findFirst();
        }
        return Optional.ofNullable((draw < 4 ? before : tokens).get(value));
    }

    synchronized Optional<String> entity(String value) {
        return Optional.ofNullable(entities.get(value));
    }
}
