// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.claim.Claims;
import java.time.Duration;

/** Marks claims that are over as expired, in batches. */
record ClaimExpirationSource(Claims claims) implements ExpirationSource {

    private static final int BATCH_SIZE = 500;

    /** So that a run ends although claims end all the time. */
    private static final int MOST_NOT_FULL = 10;

    @Override
    public String name() {
        return "claims";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(5);
    }

    /** It goes on after a batch that is not full, too: on Oracle rows that others have locked count for its size. */
    @Override
    public void expire(ExpirationTally tally) {
        int marked;
        int notFull = 0;
        do {
            marked = claims.expireReservations(BATCH_SIZE);
            tally.processed(marked);
            notFull += marked < BATCH_SIZE ? 1 : 0;
        } while (marked > 0 && notFull < MOST_NOT_FULL && !tally.isStopping());
    }

    @Override
    public Duration lag() {
        return claims.expirationLag();
    }
}
