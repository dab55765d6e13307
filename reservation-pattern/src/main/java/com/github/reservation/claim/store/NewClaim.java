// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A claim to be made.
 *
 * @param reservationId {@code res_} and 32 hex digits, computed from type and value: it alone decides which claims exclude each other
 * @param type 1 to 64 characters
 * @param value 1 to 1,024 characters
 * @param ttl 1 second to 24 hours
 * @param correlationId a text of the caller, up to 256 bytes in UTF-8, or null
 * @param token unique for each call of {@code reserve}: 32 hex digits. A repeated request recognises itself by it
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public record NewClaim(
        String reservationId, String type, String value, Duration ttl, @Nullable String correlationId, String token) {

    public NewClaim {
        Objects.requireNonNull(reservationId, "reservationId must not be null");
        Objects.requireNonNull(type, "type must not be null");
        Objects.requireNonNull(value, "value must not be null");
        Objects.requireNonNull(ttl, "ttl must not be null");
        Objects.requireNonNull(token, "token must not be null");
    }

    /** Returns {@code type:value}. */
    public String key() {
        return type + ':' + value;
    }

    /** Shows neither the value nor the token. */
    @Override
    public String toString() {
        return "NewClaim[" + reservationId + ", type " + type + ']';
    }
}
