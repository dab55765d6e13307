// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.ReserveResult.Success;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sweep meets rows that another transaction has locked. */
abstract class LockedRowsTest extends UsersTableTest {

    private final List<ClaimEvent> events = new ArrayList<>();

    @Test
    void aSweepLeavesALockedClaimToTheNextOne() throws SQLException {
        List<Success> over = tenLapsed();
        otherNode.onEvent(events::add);

        try (Connection stranger = begin()) {
            // It is over, so it is not confirmed; but the look at it locks the row.
            Success locked = over.get(3);
            assertThat(claims.in(stranger).confirm(locked.reservationId(), locked.token(), "1").status())
                    .isEqualTo("error");

            assertThat(otherNode.expireReservations(100)).isEqualTo(9);
            assertThat(events).hasSize(9).extracting(ClaimEvent::reservationId)
                    .doesNotContain(locked.reservationId())
                    .doesNotHaveDuplicates();
            assertThat(otherNode.expireReservations(100)).as("while it is locked").isZero();
            stranger.rollback();
        }

        assertThat(otherNode.expireReservations(100)).isOne();
        assertThat(events).hasSize(10).hasOnlyElementsOfType(ClaimExpired.class);
        assertThat(over).allSatisfy(claim -> assertThat(claims.getReservation(claim.reservationId()))
                .returns(ClaimStatus.EXPIRED, Claim::status)
                .returns(2L, Claim::version));
    }

    @Test
    void aClaimThatATransactionTakesOverIsNotSwept() throws SQLException {
        List<Success> over = tenLapsed();
        otherNode.onEvent(events::add);

        try (Connection stranger = begin()) {
            String key = over.getFirst().key();
            reserved(claims.in(stranger), key.substring(key.indexOf(':') + 1), LONG);
            assertThat(otherNode.expireReservations(100)).isEqualTo(9);
            stranger.commit();
        }

        assertThat(otherNode.expireReservations(100)).isZero();
        assertThat(claims.getReservation(over.getFirst().reservationId()).isReservationActive()).isTrue();
        assertThat(events).hasSize(9);
    }

    private List<Success> tenLapsed() {
        List<Success> claimed = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            claimed.add(reserved(claims, newValue(), SHORT));
        }
        letEnd();
        return claimed;
    }
}
