// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What became of a change of a claim. */
public sealed interface ClaimChange {

    /**
     * It was made.
     *
     * @param at the time that it set, by the store's clock: of the confirmation, of the release, or the new end
     * @param type the type of the claim; empty if the store would have to look for it
     */
    record Done(Instant at, Optional<String> type) implements ClaimChange {

        public Done {
            Objects.requireNonNull(at, "at must not be null");
            Objects.requireNonNull(type, "type must not be null");
        }
    }

    /**
     * It was not made.
     *
     * @param found the claim that is in the way, read when the change was refused or later: with another token, or another status than the
     *     change needs. If it is fit for the change by then, decide again. Empty if the id has no claim
     */
    record Refused(Optional<StoredClaim> found) implements ClaimChange {

        public Refused {
            Objects.requireNonNull(found, "found must not be null");
        }
    }
}
