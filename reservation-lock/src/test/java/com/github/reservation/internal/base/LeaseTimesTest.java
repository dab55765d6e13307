// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTimesTest {

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

    static Stream<Duration> leases() {
        return Stream.of(
                Duration.ofMillis(1),
                Duration.ofMillis(1).plusNanos(1),
                Duration.ofMillis(60),
                Duration.ofMinutes(2),
                Duration.ofDays(365),
                Duration.ofNanos(Long.MAX_VALUE / 2),
                Duration.ofNanos(Long.MAX_VALUE),
                Duration.ofDays(365_000_000),
                LONGEST);
    }

    @Test
    void whatDoesNotFitIntoNanosecondsIsBeyondAllWaiting() {
        assertThat(LeaseTimes.nanos(Duration.ofMillis(5))).isEqualTo(5_000_000);
        assertThat(LeaseTimes.nanos(Duration.ofNanos(LeaseTimes.FOREVER))).isEqualTo(LeaseTimes.FOREVER);
        assertThat(LeaseTimes.nanos(Duration.ofNanos(LeaseTimes.FOREVER + 1))).isEqualTo(LeaseTimes.FOREVER);
        assertThat(LeaseTimes.nanos(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(LeaseTimes.FOREVER);
    }

    @ParameterizedTest
    @MethodSource("leases")
    void aValidLeaseTimeComesBackAsItIs(Duration lease) {
        assertThat(LeaseTimes.requireValid("leaseTime", lease)).isSameAs(lease);
    }

    @Test
    void nullIsNoLeaseTime() {
        assertThatNullPointerException()
                .isThrownBy(() -> LeaseTimes.requireValid("leaseTime", null))
                .withMessage("leaseTime must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1S", "PT-2562047788015215H-30M-8S"})
    void aLeaseTimeIsPositive(Duration lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTimes.requireValid("leaseTime", lease))
                .withMessage("leaseTime must be positive, but is " + lease);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT0.000999999S"})
    void aLeaseTimeIsAMillisecondAtLeast(Duration lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTimes.requireValid("lease", lease))
                .withMessage("lease must be positive, at least 1 ms, but is " + lease);
    }

    @Test
    void aLeaseTimeFitsIntoMilliseconds() {
        for (Duration lease : new Duration[]{LONGEST.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseTimes.requireValid("lease", lease))
                    .withMessage("lease is too long: " + lease + ", at most 9223372036854775807 ms");
        }
    }
}
