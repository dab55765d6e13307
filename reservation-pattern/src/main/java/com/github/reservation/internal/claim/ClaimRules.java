// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimErrorCode;
import com.github.reservation.claim.Claims;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks what callers pass, before anything is sent. A message names the rule and never the value. */
final class ClaimRules {

    /** The answer to a type and a value. */
    sealed interface Checked {}

    /** They keep the rules. */
    record Kept(ClaimKey key) implements Checked {}

    /** They break one. */
    record Broken(ClaimErrorCode code, String message) implements Checked {}

    private final Normalizers normalizers;

    ClaimRules(Normalizers normalizers) {
        this.normalizers = normalizers;
    }

    /** Checks a type and a value, and normalises the value. */
    Checked check(@Nullable String type, @Nullable String value) {
        if (type == null || type.isEmpty() || type.indexOf(':') >= 0 || !isText(type)) {
            return new Broken(
                    ClaimErrorCode.INVALID_TYPE,
                    "type must not be null or empty, and must not contain ':', NUL or half of a surrogate pair");
        }
        if (type.length() > Claims.MAX_TYPE_LENGTH) {
            return new Broken(ClaimErrorCode.TYPE_TOO_LONG, tooLong("type", type, Claims.MAX_TYPE_LENGTH));
        }
        if (value == null) {
            return invalidValue(type);
        }
        String normal = normalizers.apply(type, value);
        if (normal.isEmpty() || !isText(normal)) {
            return invalidValue(type);
        }
        return normal.length() > Claims.MAX_VALUE_LENGTH
                ? new Broken(ClaimErrorCode.VALUE_TOO_LONG, tooLong("value", normal, Claims.MAX_VALUE_LENGTH))
                : new Kept(new ClaimKey(type, normal));
    }

    private static Broken invalidValue(String type) {
        return new Broken(
                ClaimErrorCode.INVALID_VALUE,
                "value of type " + type
                        + " must not be null or empty, and must not contain NUL or half of a surrogate pair");
    }

    private static String tooLong(String name, String text, int most) {
        return name + " has " + text.length() + " characters, at most " + most + " are allowed";
    }

    /** No database stores NUL or half of a surrogate pair as it is. */
    private static boolean isText(String text) {
        return text.indexOf('\0') < 0
                && text.codePoints().noneMatch(point -> point >= Character.MIN_SURROGATE
                        && point <= Character.MAX_SURROGATE);
    }

    /** Checks a TTL; empty if it keeps the rules. */
    static Optional<Broken> check(@Nullable Duration ttl) {
        if (ttl == null || ttl.compareTo(Claims.MIN_TTL) < 0) {
            return Optional.of(new Broken(
                    ClaimErrorCode.INVALID_TTL, "ttl must be at least " + Claims.MIN_TTL + ", but is " + ttl));
        }
        return ttl.compareTo(Claims.MAX_TTL) > 0
                ? Optional.of(new Broken(
                        ClaimErrorCode.TTL_TOO_LONG, "ttl must be at most " + Claims.MAX_TTL + ", but is " + ttl))
                : Optional.empty();
    }

    /** Returns the key of a type and a value that must keep the rules. */
    ClaimKey require(@Nullable String type, @Nullable String value) {
        return switch (check(type, value)) {
            case Kept kept -> kept.key;
            case Broken broken -> throw new IllegalArgumentException(broken.message);
        };
    }

    /** Returns the key that a text {@code type:value} stands for. */
    ClaimKey parse(String key) {
        int colon = key.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("key must be like type:value, but has no colon");
        }
        return require(key.substring(0, colon), key.substring(colon + 1));
    }
}
