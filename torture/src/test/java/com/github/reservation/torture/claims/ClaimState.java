// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

/**
 * What a value may be in, as far as calls have shown.
 *
 * @param token whose claim it is or was; that of a call without an answer begins with {@code ?} until a later answer shows it
 * @param correlation empty if the claim has none
 * @param entity whose it is or was, if it was confirmed
 * @param until the end of the claim as the store names it, in microseconds; {@link #UNSEEN} if no answer has named it
 * @param earliest when the claim may end at first, on the clock of the history
 * @param latest when it has ended in any case; {@link Long#MAX_VALUE} if the call that made it has no end
 * @param ttl for how long after that call it may run
 */
record ClaimState(
        Phase phase, String token, String correlation, String entity, long until, long earliest, long latest,
        long ttl) {

    static final long UNSEEN = -1;
    static final ClaimState NEW = new ClaimState(Phase.NEW, "", "", "", UNSEEN, 0, 0, 0);

    enum Phase {
        NEW, RESERVED, CONFIRMED, RELEASED
    }

    ClaimState confirmed(String by) {
        return new ClaimState(Phase.CONFIRMED, token, correlation, by, until, 0, 0, 0);
    }

    ClaimState released() {
        return new ClaimState(Phase.RELEASED, token, correlation, entity, until, 0, 0, 0);
    }

    ClaimState of(String shownToken) {
        return new ClaimState(phase, shownToken, correlation, entity, until, earliest, latest, ttl);
    }

    ClaimState endingAt(long shownEnd) {
        return new ClaimState(phase, token, correlation, entity, shownEnd, earliest, latest, ttl);
    }

    /** A call that took effect later has ended by then: so what was made before lasts for no longer than from then on. */
    ClaimState before(long end) {
        return phase == Phase.RESERVED && latest == Long.MAX_VALUE && end != Long.MAX_VALUE
                ? new ClaimState(phase, token, correlation, entity, until, earliest, end + ttl, ttl)
                : this;
    }
}
