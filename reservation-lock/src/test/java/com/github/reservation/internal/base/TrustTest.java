// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TrustTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Reading START = new Reading(7, 1_000_000);

    @ParameterizedTest(name = "a lease of {0} ms is trusted for {1} ms")
    @CsvSource({
            "1,      0.5", // half of it, where 50 ms would leave less
            "99,     49.5",
            "100,    50",
            "101,    51", // 50 ms
            "1000,   950",
            "5000,   4950",
            "5100,   5049", // 1 %
            "60000,  59400",
            "120000, 118800"})
    void theMarginIs50MillisOrAHundredthButHalfAtMost(long lease, double trusted) {
        Trust trust = Trust.of(START, Duration.ofMillis(lease));

        assertThat(trust.left(START)).isEqualTo((long) (trusted * 1_000_000));
    }

    @ParameterizedTest
    @MethodSource("com.github.reservation.internal.base.LeaseTimesTest#leases")
    void trustEndsBeforeTheLeaseAndNotBeforeItsHalf(Duration lease) {
        long nanos = LeaseTimes.nanos(lease);

        long trusted = Trust.of(START, lease).left(START);

        assertThat(trusted).isLessThan(nanos).isGreaterThanOrEqualTo(nanos / 2).isPositive();
    }

    @ParameterizedTest
    @MethodSource("com.github.reservation.internal.base.LeaseTimesTest#leases")
    void aTickerThatIsAboutToOverflowChangesNothing(Duration lease) {
        long trusted = Trust.of(START, lease).left(START);

        for (long nanos : new long[]{Long.MAX_VALUE, Long.MIN_VALUE, -1, Long.MAX_VALUE - trusted}) {
            Reading now = new Reading(nanos, START.epochMillis());
            assertThat(Trust.of(now, lease).left(now)).isEqualTo(trusted);
        }
    }

    @Test
    void aWallClockThatRunsAheadEndsTrustOnlyWhenTheLeaseWasOverForASecond() {
        Trust trust = Trust.of(START, LEASE);
        long over = START.epochMillis() + LEASE.toMillis() + 1_000;

        assertThat(trust.left(new Reading(START.nanos(), over))).isPositive();
        assertThat(trust.left(new Reading(START.nanos(), over + 1))).isZero();
        assertThat(trust.left(new Reading(START.nanos(), over + 1_000_000))).isNegative();
    }

    @Test
    void aWallClockThatIsSetBackNeitherEndsNorProlongsTrust() {
        Trust trust = Trust.of(START, LEASE);
        long until = trust.until();

        assertThat(trust.left(new Reading(until - 1, 0))).isEqualTo(1);
        assertThat(trust.left(new Reading(until, 0))).isZero();
    }
}
