// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.claim.Claims;
import java.time.Duration;
import java.util.Objects;

/**
 * Something whose entries expire. {@link TableExpirationSource} is the one for a table. Implement this interface for everything
 * else.
 *
 * <p>A source does its own transactions. It must be right while other instances expire the same entries: each entry expires
 * once. An {@link ExpirationJob} calls a source from one thread at a time.
 */
public interface ExpirationSource {

    /**
     * Returns a source called {@code claims} that marks claims that are over as expired, every five minutes, and so tells their
     * listeners. Its lag is {@link Claims#expirationLag()}: how late a listener learns of an end. A value is free at the end of its
     * claim, whether the claim is marked or not.
     *
     * @throws NullPointerException if the claims are null
     */
    static ExpirationSource of(Claims claims) {
        return new ClaimExpirationSource(Objects.requireNonNull(claims, "claims must not be null"));
    }

    /** Returns the name of this source in results, meters and the log. It must be different from the other sources of a job. */
    String name();

    /** Returns how long a job waits between two runs of this source, unless the job was told otherwise. Default: 1 minute. */
    default Duration interval() {
        return Duration.ofMinutes(1);
    }

    /**
     * Expires everything that is overdue, in batches, and reports each batch to the tally. It blocks until nothing is left, or
     * until {@link ExpirationTally#isStopping()} after a batch.
     *
     * @throws Exception if it cannot go on; the job logs it, keeps what was reported, and tries again at the next run
     */
    void expire(ExpirationTally tally) throws Exception;

    /**
     * Returns for how long the oldest overdue entry has been overdue, zero if there is none.
     *
     * @throws Exception if the store does not answer
     */
    Duration lag() throws Exception;
}
