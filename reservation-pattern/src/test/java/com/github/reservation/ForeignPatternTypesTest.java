// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ExpirationJob;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** No signature names a type of Micrometer, so a registry is checked when it is passed. */
class ForeignPatternTypesTest {

    @Test
    void aRegistryIsTaken() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        assertThat(Claims.inMemory().meterRegistry(registry).normalize("email", String::strip).build()).isNotNull();
        assertThat(ExpirationJob.builder().meterRegistry(registry)).isNotNull();
    }

    @Test
    void whatIsWrongIsToldAtOnce() {
        assertThatIllegalArgumentException().isThrownBy(() -> Claims.inMemory().meterRegistry(42))
                .withMessage("meterRegistry must be an io.micrometer.core.instrument.MeterRegistry,"
                        + " but is a java.lang.Integer");
    }
}
