// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.WrittenHistory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimCheckTest {

    private static final String A = "worker-1";
    private static final String B = "worker-2";

    private final WrittenHistory calls = new WrittenHistory();

    /** Reserves from 0 to 10 ms, for a second. */
    private WrittenHistory reservedByA() {
        return calls.call(A, 0, 10, "reserve v success token=a version=1 until=1000 ttl=1000");
    }

    private void isLegal() {
        Verdict verdict = new ClaimCheck().of(calls.history());
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.counts()).containsEntry("claim-values-undecided", 0L);
    }

    private void breaks(String rule) {
        assertThat(new ClaimCheck().of(calls.history()).findings()).extracting(Finding::rule).contains(rule);
    }

    @Test
    void acceptsTheLifeOfAClaim() {
        reservedByA()
                .call(B, 20, 30, "reserve v conflict status=RESERVED until=1000 ttl=1000")
                .call(A, 40, 50, "extend v success token=a until=2000 ttl=2000")
                .call(B, 60, 70, "find v RESERVED until=2000 version=2")
                .call(A, 1500, 1510, "confirm v success token=a entity=e")
                .call(A, 1520, 1530, "confirm v RESERVATION_ALREADY_CONFIRMED token=a entity=f existing=e")
                .call(B, 3000, 3010, "reserve v conflict status=CONFIRMED ttl=1000")
                .call(B, 3020, 3030, "release-confirmed v success entity=e")
                .call(B, 3040, 3050, "release-confirmed v RESERVATION_ALREADY_RELEASED entity=e")
                .call(B, 3060, 3070, "is-available v true")
                .call(B, 3080, 3090, "reserve v success token=b version=5 until=4080 ttl=1000")
                .call(A, 3100, 3110, "release v RESERVATION_ALREADY_EXPIRED token=a");
        isLegal();
    }

    @Test
    void acceptsThatAClaimIsOverAtItsEnd() {
        reservedByA()
                .call(A, 1005, 1015, "find v EXPIRED until=1000 version=1")
                .call(B, 1020, 1030, "reserve v success token=b version=2 until=2025 ttl=1000");
        isLegal();
    }

    @Test
    void acceptsTwoCallsAtOnceInEitherOrder() {
        reservedByA()
                .call(A, 20, 60, "release v success token=a")
                .call(B, 30, 50, "reserve v success token=b version=3 until=1040 ttl=1000");
        isLegal();
    }

    @Test
    void acceptsThatACallWithoutAnswerTakesEffectLater() {
        reservedByA()
                .call(A, 20, 30, "release v failed token=a doubts=1")
                .call(B, 40, 50, "reserve v conflict status=RESERVED until=1000 ttl=1000")
                .call(B, 60, 70, "reserve v success token=b version=3 until=1065 ttl=1000");
        isLegal();
    }

    @Test
    void acceptsThatAClaimIsThereWhoseProcessWasKilled_andThatAnAnswerShowsItsToken() {
        calls.lost(A, 0, "reserve-idempotent v unknown ttl=1000 correlation=c")
                .call(B, 20, 30, "reserve v conflict status=RESERVED until=1000 ttl=1000")
                .call(B, 40, 50, "reserve-idempotent v existing token=a version=1 until=1000 ttl=1000 correlation=c")
                .call(B, 60, 70, "confirm v success token=a entity=e");
        isLegal();
    }

    @Test
    void acceptsARefusal_ifALostRequestOfTheCallHasDoneIt() {
        reservedByA()
                .call(A, 20, 60, "release v RESERVATION_ALREADY_EXPIRED token=a doubts=1")
                .call(B, 30, 40, "reserve v success token=b version=3 until=1035 ttl=1000");
        isLegal();
    }

    @Test
    void acceptsTwoSuccessesOfOneRelease_ifAReplyWasLost() {
        reservedByA()
                .call(A, 20, 30, "release v success token=a")
                .call(B, 25, 40, "release v success token=a doubts=1");
        isLegal();
    }

    @Test
    void findsTwoSuccessesOfOneRelease() {
        reservedByA()
                .call(A, 20, 30, "release v success token=a")
                .call(B, 25, 40, "release v success token=a");
        breaks("claims");
    }

    @Test
    void ignoresWhatWasRolledBack() {
        calls.call(A, 0, 10, "reserve v rolled-back ttl=1000")
                .call(B, 20, 30, "find v none");
        isLegal();
    }

    @Test
    void findsARefusalThatIsNotTrue() {
        reservedByA()
                .call(A, 20, 60, "release v RESERVATION_ALREADY_EXPIRED token=a");
        breaks("claims");
    }

    @Test
    void findsTwoClaimsAtOnce() {
        reservedByA().call(B, 20, 30, "reserve v success token=b version=2 until=1020 ttl=1000");
        breaks("claims");
    }

    @Test
    void findsAConfirmationAfterTheEnd() {
        reservedByA().call(A, 1100, 1110, "confirm v success token=a entity=e");
        breaks("claims");
    }

    @Test
    void findsAnExtensionAfterTheEnd() {
        reservedByA().call(A, 1100, 1110, "extend v success token=a until=2100 ttl=1000");
        breaks("claims");
    }

    @Test
    void findsAClaimThatLastsTooLong() {
        reservedByA().call(B, 1100, 1110, "reserve v conflict status=RESERVED until=1000 ttl=1000");
        breaks("claims");
    }

    @Test
    void findsAClaimThatEndsTooEarly() {
        reservedByA().call(B, 900, 910, "is-available v true");
        breaks("claims");
    }

    @Test
    void findsAConflictWithNobody() {
        calls.call(A, 0, 10, "reserve v conflict status=RESERVED until=1000 ttl=1000");
        breaks("claims");
    }

    @Test
    void findsAReleaseWithAForeignToken() {
        reservedByA().call(B, 20, 30, "release v success token=b");
        breaks("claims");
    }

    @Test
    void findsAForeignToken() {
        calls.call(A, 0, 10, "reserve-idempotent v success token=a version=1 until=1000 ttl=1000 correlation=c")
                .call(B, 20, 30, "reserve-idempotent v existing token=a version=1 until=1000 ttl=1000 correlation=d");
        breaks("claims");
    }

    @Test
    void findsAConfirmationThatIsLost() {
        reservedByA()
                .call(A, 20, 30, "confirm v success token=a entity=e")
                .call(B, 40, 50, "find v RESERVED until=1000 version=1");
        breaks("claims");
    }

    @Test
    void findsTwoEntitiesOfOneValue() {
        reservedByA()
                .call(A, 20, 30, "confirm v success token=a entity=e")
                .call(B, 40, 50, "find v CONFIRMED entity=f until=1000 version=2");
        breaks("claims");
    }

    @Test
    void findsTwoEndsOfOneClaim() {
        reservedByA().call(B, 20, 30, "find v RESERVED until=1001 version=1");
        breaks("claims");
    }

    @Test
    void findsThatACallHasTakenEffectBeforeItsStart() {
        calls.call(B, 0, 10, "reserve v conflict status=RESERVED until=1000 ttl=1000")
                .call(A, 20, 30, "reserve v failed ttl=1000 doubts=1");
        breaks("claims");
    }

    @Test
    void findsThatAFailureWithoutDoubtHasTakenEffect() {
        calls.call(A, 0, 10, "reserve v failed ttl=1000")
                .call(B, 20, 30, "is-available v false");
        breaks("claims");
    }

    @Test
    void findsAVersionThatFalls() {
        reservedByA()
                .call(A, 20, 30, "release v success token=a")
                .call(B, 40, 50, "reserve v success token=b version=3 until=1045 ttl=1000")
                .call(B, 60, 70, "find v RESERVED until=1045 version=2");
        breaks("claim-versions");
    }

    @Test
    void findsTwoClaimsOfOneVersion() {
        reservedByA()
                .call(A, 5, 15, "release v success token=a")
                .call(B, 6, 16, "reserve v success token=b version=1 until=1015 ttl=1000");
        breaks("claim-versions");
    }

    @Test
    void acceptsThatAnEndIsToldHere_andDeliveredAgainElsewhere() {
        calls.call(A, 0, 0, "claim-expired v - at=1000 outbox=true")
                .call(A, 5, 5, "claim-expired-delivered v - at=1000 event=7")
                .call(B, 6, 6, "claim-expired-delivered v - at=1000 event=7");
        isLegal();
    }

    @Test
    void findsAnEndThatIsToldTwice() {
        calls.call(A, 0, 0, "claim-expired v - at=1000 outbox=false")
                .call(B, 5, 5, "claim-expired v - at=1000 outbox=false");
        breaks("claim-ends");
    }

    @Test
    void findsTwoEventsOfOneEnd() {
        calls.call(A, 0, 0, "claim-expired-delivered v - at=1000 event=7")
                .call(B, 5, 5, "claim-expired-delivered v - at=1000 event=8");
        breaks("claim-ends");
    }

    @Test
    void findsAnEndThatIsNotDelivered() {
        calls.call(A, 0, 0, "claim-expired v - at=1000 outbox=true");
        breaks("claim-ends");
    }

    @Test
    void decidesQuickly_alsoAmongManyCallsWithoutAnswers() {
        for (int i = 0; i < 1_000; i++) {
            long now = i * 100L;
            calls.call(A, now, now + 10, "reserve v success token=a" + i + " version=" + (2 * i + 1) + " until=" + i
                    + " ttl=1000")
                    .call(B, now + 5, now + 30, "release v failed token=b" + i + " doubts=1")
                    .call(A, now + 20, now + 40, "release v success token=a" + i);
        }
        long start = System.nanoTime();
        isLegal();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }
}
