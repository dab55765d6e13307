// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome.Granted;
import java.util.List;
import java.util.Optional;

/** Makes the events of a claim that was granted: the same ones for listeners and for an outbox. */
public final class ClaimEvents {

    private ClaimEvents() {}

    /** Returns the end of the claim before, if that was not marked, and then the new claim. */
    public static List<ClaimEvent> of(NewClaim wanted, Granted granted) {
        ClaimEvent reserved = new ClaimReserved(
                wanted.reservationId(),
                wanted.type(),
                wanted.key(),
                Optional.ofNullable(wanted.correlationId()),
                granted.expiresAt().minus(wanted.ttl()),
                granted.expiresAt());
        return granted.lapsed()
                .map(lapsed -> List.of(
                        new ClaimExpired(
                                wanted.reservationId(),
                                wanted.type(),
                                wanted.key(),
                                lapsed.correlationId(),
                                lapsed.expiredAt()),
                        reserved))
                .orElseGet(() -> List.of(reserved));
    }
}
