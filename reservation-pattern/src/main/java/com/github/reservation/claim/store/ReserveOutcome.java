// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import com.github.reservation.claim.ClaimStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What became of a {@link NewClaim}. */
public sealed interface ReserveOutcome {

    /**
     * The claim is made, or was made by an earlier request with the same token.
     *
     * @param expiresAt the end of the claim, by the store's clock
     * @param version 1 for a new id, else one more than before
     * @param lapsed the claim before, if it was over and {@link ClaimStore#expire} had not marked it: nobody else reports its end
     */
    record Granted(Instant expiresAt, long version, Optional<Lapsed> lapsed) implements ReserveOutcome {

        public Granted {
            Objects.requireNonNull(expiresAt, "expiresAt must not be null");
            Objects.requireNonNull(lapsed, "lapsed must not be null");
        }
    }

    /**
     * A claim that was over and made way for the next one.
     *
     * @param expiredAt its end
     */
    record Lapsed(Instant expiredAt, Optional<String> correlationId) {

        public Lapsed {
            Objects.requireNonNull(expiredAt, "expiredAt must not be null");
            Objects.requireNonNull(correlationId, "correlationId must not be null");
        }
    }

    /**
     * The value is reserved or confirmed; nothing has changed.
     *
     * @param status {@link ClaimStatus#RESERVED} or {@link ClaimStatus#CONFIRMED}
     * @param expiresAt the end of the claim that is in the way
     * @param token the secret of its owner, for an asker that turns out to be the owner
     */
    record Refused(
            ClaimStatus status, Instant expiresAt, Optional<String> correlationId, String token, long version)
            implements ReserveOutcome {

        public Refused {
            Objects.requireNonNull(status, "status must not be null");
            Objects.requireNonNull(expiresAt, "expiresAt must not be null");
            Objects.requireNonNull(correlationId, "correlationId must not be null");
            Objects.requireNonNull(token, "token must not be null");
        }

        /** Does not show the token. */
        @Override
        public String toString() {
            return "Refused[" + status + ", version " + version + ']';
        }
    }
}
