// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What Spring Boot prints if the second jar is not on the class path. */
class MissingPatternTest {

    /** The JVM throws it in two ways, with slashes and with dots. */
    private static FailureAnalysis analysisOf(String missing) {
        return new MissingPatternFailureAnalyzer()
                .analyze(new IllegalStateException("A bean failed", new NoClassDefFoundError(missing)));
    }

    @Test
    void aClassOfTheSecondJarNamesTheJar() {
        for (String missing : new String[]{
                "com/github/reservation/outbox/Outbox", "com.github.reservation.outbox.Outbox"}) {
            assertThat(analysisOf(missing).getDescription())
                    .isEqualTo(
                            "The application uses com.github.reservation.outbox.Outbox, which is not on the class path.");
            assertThat(analysisOf(missing).getAction())
                    .isEqualTo("Add com.github.reservation:reservation-pattern.");
        }
    }

    @Test
    void anyOtherClassIsLeftToSpringBoot() {
        assertThat(analysisOf("com/github/reservation/ReservationManager")).isNull();
        assertThat(analysisOf(null)).isNull();
    }
}
