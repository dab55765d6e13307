// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who gets a value. */
abstract class ClaimReservingTests extends ClaimStoreTests {

    private static final int RACES = 10;

    @Test
    void aNewValueIsReserved() throws Exception {
        NewClaim wanted = new NewClaim(id, TYPE, id + "@example.com", LONG, "sign-up 7", hex());

        ReserveOutcome.Granted granted = granted(store, wanted);

        assertThat(granted.version()).isOne();
        assertThat(granted.lapsed()).isEmpty();
        Claim claim = found();
        assertThat(claim.status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(claim.reservationId()).isEqualTo(id);
        assertThat(claim.type()).isEqualTo(TYPE);
        assertThat(claim.value()).isEqualTo(id + "@example.com");
        assertThat(claim.key()).isEqualTo("email:" + id + "@example.com");
        assertThat(claim.correlationId()).hasValue("sign-up 7");
        assertThat(claim.version()).isOne();
        assertThat(claim.expiresAt()).isEqualTo(granted.expiresAt());
        assertThat(claim.remainingTtl()).isPositive().isLessThanOrEqualTo(LONG);
        assertThat(claim.entityId()).isEmpty();
        assertThat(store.find(id).orElseThrow().token()).isEqualTo(wanted.token());
    }

    @Test
    void aClaimEndsWhenItsTimeIsOver() throws Exception {
        Instant end = granted(store, claim(id, LONG)).expiresAt();

        assertThat(Duration.between(found().createdAt(), end)).isBetween(LONG.minusMillis(50), LONG.plusMillis(50));
    }

    @Test
    void aReservedValueIsRefused_andTheAnswerNamesItsOwner() throws Exception {
        NewClaim owner = new NewClaim(id, TYPE, id + "@example.com", LONG, "sign-up 7", hex());
        Instant end = granted(store, owner).expiresAt();

        ReserveOutcome.Refused refused = refused(otherNode, claim(id, LONG));

        assertThat(refused.status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(refused.expiresAt()).isEqualTo(end);
        assertThat(refused.correlationId()).hasValue("sign-up 7");
        assertThat(refused.token()).isEqualTo(owner.token());
        assertThat(refused.version()).isOne();
        assertThat(store.find(id).orElseThrow().token()).isEqualTo(owner.token());
    }

    @Test
    void aConfirmedValueIsRefused() throws Exception {
        NewClaim owner = reserved();
        done(store.confirm(ref(owner), entity));

        ReserveOutcome.Refused refused = refused(otherNode, claim(id, LONG));

        assertThat(refused.status()).isEqualTo(ClaimStatus.CONFIRMED);
        assertThat(refused.version()).isEqualTo(2);
        assertThat(found().entityId()).hasValue(entity);
    }

    @Test
    void aRequestThatArrivesTwiceIsGrantedAsItIs() throws Exception {
        NewClaim wanted = claim(id, LONG);
        ReserveOutcome.Granted first = granted(store, wanted);

        ReserveOutcome.Granted second = granted(otherNode, wanted);

        assertThat(second).isEqualTo(first);
        assertThat(found().version()).isOne();
    }

    @Test
    void aRequestThatArrivesAfterTheConfirmationOfItsClaimIsRefused() throws Exception {
        NewClaim wanted = reserved();
        done(store.confirm(ref(wanted), entity));

        assertThat(refused(otherNode, wanted).status()).isEqualTo(ClaimStatus.CONFIRMED);
    }

    @Test
    void aReleasedValueIsReservedAgain() throws Exception {
        done(store.release(ref(reserved())));

        ReserveOutcome.Granted granted = granted(otherNode, claim(id, LONG));

        assertThat(granted.version()).isEqualTo(3);
        assertThat(granted.lapsed()).isEmpty();
        assertThat(found().releasedAt()).isEmpty();
    }

    @Test
    void aValueWhoseClaimIsOverIsReservedAgain_andTheEndIsReported() throws Exception {
        NewClaim before = new NewClaim(id, TYPE, id + "@example.com", contract().shortTtl(), "sign-up 7", hex());
        Instant end = granted(store, before).expiresAt();
        passShortTtl();

        ReserveOutcome.Granted granted = granted(otherNode, claim(id, LONG));

        assertThat(granted.lapsed()).hasValue(
                new ReserveOutcome.Lapsed(end, Optional.of("sign-up 7")));
        assertThat(granted.version()).isGreaterThan(1);
        assertThat(found().correlationId()).isEmpty();
    }

    @Test
    void theEndOfAClaimThatWasMarkedIsNotReportedAgain() throws Exception {
        ended(id);
        while (!store.expire(100).isEmpty()) {
            // There may be others.
        }

        assertThat(granted(store, claim(id, LONG)).lapsed()).isEmpty();
    }

    @Test
    void ofRacingRequestsExactlyOneIsGranted() throws Exception {
        for (int i = 0; i < RACES; i++) {
            String raced = newId();

            List<ReserveOutcome> outcomes = atOnce(node -> node.reserve(claim(raced, LONG)));

            assertThat(outcomes).filteredOn(ReserveOutcome.Granted.class::isInstance).hasSize(1);
        }
    }

    @Test
    void ofRacingRequestsForAValueWhoseClaimIsOverExactlyOneIsGranted() throws Exception {
        ended(id);

        List<ReserveOutcome> outcomes = atOnce(node -> node.reserve(claim(id, LONG)));

        assertThat(outcomes).filteredOn(ReserveOutcome.Granted.class::isInstance).singleElement()
                .satisfies(granted -> assertThat(((ReserveOutcome.Granted) granted).lapsed()).isPresent());
    }

    @Test
    void aValueIsKeptAsItIs() throws Exception {
        String nasty = id + " 'Ren\u00e9' \ud83d\udd12 \"%_\\; -- \t\u20ac ";
        granted(store, new NewClaim(id, TYPE, nasty, LONG, nasty, hex()));

        assertThat(found().value()).isEqualTo(nasty);
        assertThat(found().correlationId()).hasValue(nasty);
    }
}
