// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.internal.metrics.Instruments.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a registry throws that takes some of the meters and not others. */
class MicrometerInstrumentsTest {

    private static final Meter TAKEN = new Meter("orders.attempts", "Is a timer of the application");
    private static final Meter FREE = new Meter("orders.time", "Is not");

    @Test
    void aMeterThatFailsEachTimeIsWarnedOfOnce_thoughOthersWork() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.timer(TAKEN.name());
        Instruments instruments = Instruments.of(registry, "Orders");

        try (LoggedWarnings warnings = new LoggedWarnings()) {
            for (int i = 0; i < 10; i++) {
                instruments.time(FREE, Duration.ofMillis(1));
                instruments.count(TAKEN, 1);
            }

            assertThat(warnings.texts()).filteredOn(message -> message.startsWith("Orders")).hasSize(1);
        }
        assertThat(registry.get(FREE.name()).timer().count()).isEqualTo(10);
    }
}
