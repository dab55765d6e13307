// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Ticker;
import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a courier looks for events. */
class LookTimesTest {

    private static final Duration POLL = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final LookTimes looks = new LookTimes(ticker, POLL);

    /** Makes a look that finds nothing. */
    private void look() {
        assertThat(looks.begin()).isTrue();
    }

    private Duration untilNext() {
        return Duration.ofNanos(looks.next() - ticker.nanos());
    }

    @Test
    void aLookThatFoundNothingIsFollowedByAPoll() {
        look();

        assertThat(untilNext()).isEqualTo(POLL);
        assertThat(looks.begin()).isFalse();
        ticker.advance(POLL);
        assertThat(looks.begin()).isTrue();
    }

    @Test
    void aLookThatIsAskedForIsMadeAgain_becauseNotEachAppendIsAnnounced() {
        look();
        looks.ask();
        assertThat(untilNext()).isZero();

        look();

        assertThat(untilNext()).isBetween(OutboxStore.ANNOUNCED_EVERY, Duration.ofMillis(200));
        ticker.advance(Duration.ofMillis(200));
        look();
        assertThat(untilNext()).isEqualTo(POLL);
    }

    @Test
    void whoAsksGetsALook_whileTimePasses() {
        LookTimes running = new LookTimes(Ticker.system(), POLL);
        assertThat(running.begin()).isTrue();
        assertThat(running.begin()).isFalse();

        running.ask();

        assertThat(running.begin()).isTrue();
    }

    @Test
    void whoAsksDuringALookGetsAnother() {
        assertThat(looks.begin()).isTrue();
        looks.ask();

        assertThat(looks.begin()).isTrue();
    }

    @Test
    void aLookIsMadeAtTheEndOfTheNextPause_ifThatIsBeforeThePoll() {
        look();
        looks.expectAfter(Duration.ofSeconds(4));
        looks.expectAfter(Duration.ofSeconds(1));

        assertThat(untilNext()).isEqualTo(Duration.ofSeconds(1));
        looks.expectAfter(POLL.multipliedBy(2));
        assertThat(untilNext()).isEqualTo(Duration.ofSeconds(1));
    }
}
