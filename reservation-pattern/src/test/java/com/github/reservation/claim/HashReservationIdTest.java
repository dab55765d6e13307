// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The id of a claim can be computed without the store. */
class HashReservationIdTest {

    @Test
    void theIdIsThatOfTheClaim() {
        try (Claims claims = Claims.inMemory()
                .normalize("email", value -> value.toLowerCase(Locale.ROOT))
                .build()) {
            ReserveResult result = claims.reserve("email", "Alice@Example.com", Duration.ofMinutes(5));

            assertThat(result).isInstanceOfSatisfying(ReserveResult.Success.class, success -> assertThat(
                    success.reservationId())
                    .isEqualTo(Claims.hashReservationId("email", "alice@example.com"))
                    .matches("res_[0-9a-f]{32}"));
        }
    }

    @Test
    void theIdIsTheSameForEver() {
        assertThat(Claims.hashReservationId("email", "alice@example.com"))
                .isEqualTo("res_889e87fc03d0477823a739f269555750");
    }

    @Test
    void whatCannotBeAClaimHasNoId() {
        assertThatThrownBy(() -> Claims.hashReservationId("a:b", "value"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("type must not");
        assertThatThrownBy(() -> Claims.hashReservationId("email", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("value of type email must not");
        assertThatThrownBy(() -> Claims.hashReservationId(null, "value")).isInstanceOf(IllegalArgumentException.class);
    }
}
