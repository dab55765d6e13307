// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunningShop
class DatabaseClockTest {

    @Autowired
    private DatabaseClock clock;

    @Test
    void theTimeIsRightFarFromUtc() {
        assertThat(TimeZone.getDefault().getID()).as("the pom.xml sets it").isEqualTo("Pacific/Auckland");

        assertThat(clock.now()).isCloseTo(Instant.now(), within(5, SECONDS));
    }
}
