// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim.store;

import java.time.Instant;
import java.util.Optional;

/** What became of a change of a claim. */
public sealed interface ClaimChange {

    /**
     * It was made.
     *
     * @param at the time that it set: of the confirmation, of the release, or the new end
     * @param type the type of the claim; empty if the store would have to look for it
     */
    record Done(Instant at, Optional<String> type) implements ClaimChange {}

    /** It was not made, because of the claim that is there, or because there is none. */
    record Refused(Optional<StoredClaim> found) implements ClaimChange {}
}
