// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import com.github.reservation.claim.ClaimStatus;
import java.time.Instant;
import java.util.Optional;

/** What became of a {@link NewClaim}. */
public sealed interface ReserveOutcome {

    /**
     * The value is the asker's.
     *
     * @param lapsed the claim before, if it had ended without being marked as expired
     */
    record Granted(Instant expiresAt, long version, Optional<Lapsed> lapsed) implements ReserveOutcome {}

    /** A claim that ended and made way for the next one. */
    record Lapsed(Instant expiredAt, Optional<String> correlationId) {}

    /**
     * The value is reserved or confirmed.
     *
     * @param token the secret of its owner, for an asker that turns out to be the owner
     */
    record Refused(
            ClaimStatus status, Instant expiresAt, Optional<String> correlationId, String token, long version)
            implements ReserveOutcome {

        /** Does not show the token. */
        @Override
        public String toString() {
            return "Refused[" + status + ", version " + version + ']';
        }
    }
}
