// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void pausesDoubleToTheLongestEachShortenedByHalfAtMost() {
        for (int i = 0; i < 1_000; i++) {
            Backoff pauses = new Backoff(Duration.ofMillis(10), Duration.ofMillis(100));

            for (long step : new long[]{10, 20, 40, 80, 100, 100, 100}) {
                assertThat(pauses.next()).isBetween(millis(step) / 2, millis(step));
            }
        }
    }

    @Test
    void waitersDoNotMarchInStep() {
        long different = LongStream.generate(() -> new Backoff(Duration.ofMillis(10), Duration.ofMillis(100)).next())
                .limit(100)
                .distinct()
                .count();

        assertThat(different).isGreaterThan(90);
    }

    @Test
    void aFirstPauseThatIsTheLongestStaysSo() {
        Backoff pauses = new Backoff(Duration.ofMillis(100), Duration.ofMillis(100));

        assertThat(pauses.next()).isBetween(millis(50), millis(100));
        assertThat(pauses.next()).isBetween(millis(50), millis(100));
    }

    @Test
    void theShortestPauseOfAllIsNoError() {
        Backoff pauses = new Backoff(Duration.ofNanos(1), Duration.ofNanos(3));

        assertThat(pauses.next()).isEqualTo(1);
        assertThat(pauses.next()).isBetween(1L, 2L);
        assertThat(pauses.next()).isBetween(2L, 3L);
    }

    @Test
    void longPausesDoNotOverflow() {
        Backoff pauses = new Backoff(Duration.ofDays(1), Duration.ofDays(36_500));

        for (int i = 0; i < 100; i++) {
            assertThat(pauses.next()).isPositive();
        }
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
