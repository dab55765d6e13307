// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.ClaimErrorCode;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.store.ClaimRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks what callers pass, before anything is sent. A message names the rule and never the value. */
final class ClaimRules {

    /** The answer to a type and a value. */
    sealed interface Checked {}

    /** They keep the rules. */
    record Kept(ClaimKey key) implements Checked {}

    /** They break one. */
    record Broken(ClaimErrorCode code, String message) implements Checked {}

    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    /** Sent in place of an id or a token that no claim can have: the text itself may be more than a database takes. */
    private static final String NOTHING = "-";

    private final Map<String, UnaryOperator<String>> normalizers;

    /** Checks values after they were changed by the normaliser of their type, if it has one. */
    ClaimRules(Map<String, UnaryOperator<String>> normalizers) {
        this.normalizers = Map.copyOf(normalizers);
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
        String normal = normalized(type, value);
        if (normal.isEmpty() || !isText(normal)) {
            return invalidValue(type);
        }
        return normal.length() > Claims.MAX_VALUE_LENGTH
                ? new Broken(ClaimErrorCode.VALUE_TOO_LONG, tooLong("value", normal, Claims.MAX_VALUE_LENGTH))
                : new Kept(new ClaimKey(type, normal));
    }

    private String normalized(String type, String value) {
        UnaryOperator<String> normalizer = normalizers.get(type);
        return normalizer == null
                ? value
                : Objects.requireNonNull(
                        normalizer.apply(value), () -> "The normalizer of type " + type + " returned null");
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

    /** Returns the claim that only the owner of the token may change. */
    static ClaimRef guarded(String reservationId, ClaimToken token) {
        String text = Objects.requireNonNull(token, "token must not be null").value();
        return new ClaimRef(id(reservationId), TOKEN.matcher(text).matches() ? text : NOTHING);
    }

    /** Returns the claim that anyone may change. */
    static ClaimRef unguarded(String reservationId) {
        return new ClaimRef(id(reservationId), null);
    }

    /** Returns an id to look for. */
    static String id(String reservationId) {
        Objects.requireNonNull(reservationId, "reservationId must not be null");
        return ClaimKey.isId(reservationId) ? reservationId : NOTHING;
    }

    static void requireTransaction(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("connection must not be in autocommit mode:"
                        + " a claim and its entity would not commit together");
            }
        } catch (SQLException e) {
            throw new ReservationException("The connection cannot be used: " + e.getMessage(), e);
        }
    }
}
