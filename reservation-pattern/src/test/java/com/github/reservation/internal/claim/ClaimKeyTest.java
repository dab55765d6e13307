// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The ids of claims, and what normalisers do to their values. */
class ClaimKeyTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void tenThousandKeysHaveDistinctIds() {
        Set<String> ids = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            ids.add(new ClaimKey("email", "user" + i + "@example.com").reservationId());
        }

        assertThat(ids).hasSize(10_000).allMatch(ClaimKey::isId);
    }

    /** With ids of eight digits, these two keys had the same one. */
    @Test
    void theKeysThatOnceCollidedDoNot() {
        assertThat(new ClaimKey("email", "user77467@example.com").reservationId())
                .isNotEqualTo(new ClaimKey("email", "user80204@example.com").reservationId());
    }

    @Test
    void aKeyIsShownByItsId() {
        assertThat(new ClaimKey("email", "alice@example.com")).hasToString("res_889e87fc03d0477823a739f269555750");
    }

    @Test
    void aNormaliserIsAppliedWhereverAValueIsPassed() {
        try (Claims claims = Claims.inMemory()
                .normalize("email", value -> value.strip().toLowerCase(Locale.ROOT))
                .build()) {
            ReserveResult.Success reserved =
                    (ReserveResult.Success) claims.reserve("email", " Alice@Example.com ", LONG);

            assertThat(reserved.key()).isEqualTo("email:alice@example.com");
            assertThat(claims.reserve("email", "alice@example.com", LONG)).isInstanceOf(ReserveResult.Conflict.class);
            assertThat(claims.isReserved("email", "ALICE@EXAMPLE.COM")).isTrue();
            assertThat(claims.reserve("username", "Alice", LONG).status()).isEqualTo("success");
            assertThat(claims.isReserved("username", "alice")).as("of another type").isFalse();
            assertThat(claims.reserve("email", "   ", LONG)).isInstanceOf(ReserveResult.Failure.class);
            claims.confirm(reserved.reservationId(), reserved.token(), "1");
            assertThat(claims.releaseConfirmed("email:ALICE@example.com", "1").status()).isEqualTo("success");
        }
    }

    @Test
    void aNormaliserThatReturnsNothingIsNamed() {
        try (Claims claims = Claims.inMemory().normalize("email", value -> null).build()) {
            assertThatNullPointerException()
                    .isThrownBy(() -> claims.reserve("email", "alice", LONG))
                    .withMessage("The normalizer of type email returned null");
        }
    }
}
