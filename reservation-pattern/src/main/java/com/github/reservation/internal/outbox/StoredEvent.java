// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import java.time.Instant;

/**
 * An event that is due for a listener.
 *
 * @param keyId the digest of the key
 * @param attempts how often the listener has failed with it, or did not come back
 */
public record StoredEvent(
        long id, String keyId, String key, String type, String payload, Instant createdAt, int attempts) {

    /** Shows neither the key nor the payload. */
    @Override
    public String toString() {
        return "event " + id + " of type " + type;
    }
}
