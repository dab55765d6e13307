// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.expiration.jdbc.RowKey;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row that fails is tried in the next run, then after pauses that grow. */
class SetAsideTest {

    private static final RowKey KEY = new RowKey(List.of(42));

    private final ManualTicker ticker = new ManualTicker();
    private final SetAside setAside = new SetAside(ticker);

    @Test
    void theNextRunTriesARowThatFailedOnce() {
        assertThat(setAside.failed(KEY)).isEqualTo(1);

        assertThat(setAside.isPaused(KEY)).isFalse();
        assertThat(setAside.size()).isEqualTo(1);
    }

    @Test
    void pausesDoubleFromAMinuteToAnHour() {
        setAside.failed(KEY);

        for (long minutes : new long[]{1, 2, 4, 8, 16, 32, 60, 60}) {
            setAside.failed(KEY);
            ticker.advance(Duration.ofMinutes(minutes).minusNanos(1));
            assertThat(setAside.isPaused(KEY)).as("before %s minutes", minutes).isTrue();
            ticker.advance(Duration.ofNanos(1));
            assertThat(setAside.isPaused(KEY)).as("after %s minutes", minutes).isFalse();
        }
    }

    @Test
    void aRowThatExpiresIsForgotten() {
        setAside.failed(KEY);

        setAside.expired(List.of(KEY));

        assertThat(setAside.size()).isZero();
        assertThat(setAside.failed(KEY)).isEqualTo(1);
    }

    @Test
    void aRowThatACompleteRunHasNotSeenIsForgotten() {
        setAside.beginRun();
        setAside.failed(KEY);
        setAside.endRun();
        assertThat(setAside.size()).isEqualTo(1);

        setAside.beginRun();
        setAside.isPaused(KEY);
        setAside.endRun();
        assertThat(setAside.size()).isEqualTo(1);

        setAside.beginRun();
        setAside.endRun();
        assertThat(setAside.size()).isZero();
    }

    @Test
    void thereIsALimit() {
        for (int i = 0; i < 10_100; i++) {
            setAside.failed(new RowKey(List.of(i)));
        }

        assertThat(setAside.size()).isEqualTo(10_000);
        assertThat(setAside.isPaused(new RowKey(List.of(10_050)))).isFalse();
    }

    @Test
    void keysOfBytesAreCompared() {
        setAside.failed(new RowKey(List.of(new byte[]{1, 2})));

        assertThat(setAside.failed(new RowKey(List.of(new byte[]{1, 2})))).isEqualTo(2);
    }
}
