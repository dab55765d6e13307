// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim to be made.
 *
 * @param token unique for each call of {@code reserve}; a repeated request finds itself by it
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public record NewClaim(
        String reservationId, String type, String value, Duration ttl, @Nullable String correlationId, String token) {

    public String key() {
        return type + ':' + value;
    }

    /** Shows neither the value nor the token. */
    @Override
    public String toString() {
        return "NewClaim[" + reservationId + ", type " + type + ']';
    }
}
