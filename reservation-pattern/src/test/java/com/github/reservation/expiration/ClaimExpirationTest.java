// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.Claims;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job marks claims that are over. */
class ClaimExpirationTest {

    private final ManualTicker ticker = new ManualTicker();

    @Test
    void claimsThatAreOverAreMarkedInBatchesAndListenersAreTold() {
        List<ClaimEvent> events = new ArrayList<>();
        try (Claims claims = Claims.inMemory(ticker).build();
                ExpirationJob job = ExpirationJob.builder().source(ExpirationSource.of(claims)).build()) {
            for (int i = 0; i < 1_001; i++) {
                claims.reserve("email", i + "@example.com", Claims.MIN_TTL);
            }
            claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL);
            claims.onEvent(events::add);
            ticker.advance(Claims.MIN_TTL.plusSeconds(7));
            assertThat(job.lag()).containsEntry("claims", Duration.ofSeconds(7));

            assertThat(job.runOnce().processedCount()).isEqualTo(1_001);

            assertThat(events).hasSize(1_001).hasOnlyElementsOfType(ClaimExpired.class);
            assertThat(job.lag()).containsEntry("claims", Duration.ZERO);
            assertThat(job.runOnce().processedCount()).isZero();
        }
    }

    /** As on Oracle, where claims that others have locked count for the batch. */
    @Test
    void aRunGoesOnAfterABatchThatIsNotFull() {
        try (Claims claims = Claims.inMemory(ticker).build();
                ExpirationJob job = ExpirationJob.builder().source(ExpirationSource.of(inTens(claims))).build()) {
            for (int i = 0; i < 25; i++) {
                claims.reserve("email", i + "@example.com", Claims.MIN_TTL);
            }
            ticker.advance(Claims.MIN_TTL);

            assertThat(job.runOnce().processedCount()).isEqualTo(25);
        }
    }

    /** Returns the same claims, of which a call marks ten at most. */
    @Test
    void aRunEndsAlthoughClaimsEndAllTheTime() {
        try (Claims claims = Claims.inMemory(ticker).build();
                ExpirationJob job =
                        ExpirationJob.builder().source(ExpirationSource.of(withOneMoreEachTime(claims))).build()) {
            assertThat(job.runOnce().processedCount()).isPositive();
        }
    }

    private static Claims withOneMoreEachTime(Claims claims) {
        return EachConnection.proxy(Claims.class, (proxy, method, arguments) -> method.getName().equals(
                "expireReservations") ? Integer.valueOf(1) : EachConnection.call(method, claims, arguments));
    }

    private static Claims inTens(Claims claims) {
        return EachConnection.proxy(Claims.class, (proxy, method, arguments) -> method.getName().equals(
                "expireReservations") ? claims.expireReservations(10) : EachConnection.call(method, claims, arguments));
    }

    @Test
    void claimsAreNeeded() {
        assertThatNullPointerException().isThrownBy(() -> ExpirationSource.of(null)).withMessageContaining("claims");
    }
}
