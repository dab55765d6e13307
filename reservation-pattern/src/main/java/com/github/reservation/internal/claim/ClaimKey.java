// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.internal.base.KeyDigest;
import com.github.reservation.internal.base.RandomHex;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A type and a value that keep the rules. The type has no colon, so that the first one of {@code type:value} splits it: no two pairs
 * share a key.
 */
public record ClaimKey(String type, String value) {

    private static final String ID_PREFIX = "res_";
    private static final int ID_DIGITS = 32;
    private static final int TOKEN_BYTES = 16;
    private static final Pattern ID = Pattern.compile(ID_PREFIX + "[0-9a-f]{" + ID_DIGITS + "}");

    /** Returns the id of a type and a value as they are stored; throws if they break the rules. */
    public static String idOf(String type, String value) {
        return new ClaimRules(Map.of()).require(type, value).reservationId();
    }

    /** Returns the key as text. */
    String text() {
        return type + ':' + value;
    }

    /**
     * Returns the id: half of the key's SHA-256. Two keys of one id would only keep each other from being reserved; to find such a
     * pair takes 2^64 attempts.
     */
    String reservationId() {
        return ID_PREFIX + KeyDigest.of(text()).substring(0, ID_DIGITS);
    }

    /** Returns a claim to be made, with a token that no other has. */
    NewClaim newClaim(Duration ttl, @Nullable String correlationId) {
        return new NewClaim(reservationId(), type, value, ttl, correlationId, RandomHex.of(TOKEN_BYTES));
    }

    /** Returns whether a text can be an id. */
    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Does not show the value. */
    @Override
    public String toString() {
        return reservationId();
    }
}
