// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits for a listener.
 *
 * @param keyId the digest of the key
 * @param payload null if the event was removed while it was read; then key and type are empty
 */
public record StoredEvent(
        long id, String keyId, String key, String type, @Nullable String payload, Instant createdAt) {

    /** Shows neither the key nor the payload. */
    @Override
    public String toString() {
        return "event " + id + " of type " + type;
    }
}
