// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.memory.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a pump looks for events. */
class LookTimesTest {

    private static final Duration POLL = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final LookTimes looks = new LookTimes(ticker, POLL);

    /** Makes a look that finds nothing. */
    private void look(Duration duration) {
        assertThat(looks.begin()).isTrue();
        long start = ticker.nanos();
        ticker.advance(duration);
        looks.pause(start);
    }

    private Duration untilNext() {
        return Duration.ofNanos(looks.next() - ticker.nanos());
    }

    @Test
    void aLookThatFoundNothingIsFollowedByAPoll() {
        look(Duration.ofMillis(1));

        assertThat(untilNext()).isEqualTo(POLL);
        assertThat(looks.begin()).isFalse();
        ticker.advance(POLL);
        assertThat(looks.begin()).isTrue();
    }

    @Test
    void aLookThatIsAskedForIsMadeAgain_becauseNotEachAppendIsAnnounced() {
        look(Duration.ZERO);
        looks.ask();

        look(Duration.ofMillis(1));

        assertThat(untilNext()).isBetween(OutboxStore.ANNOUNCED_EVERY, Duration.ofMillis(200));
        ticker.advance(Duration.ofMillis(200));
        look(Duration.ofMillis(1));
        assertThat(untilNext()).isEqualTo(POLL);
    }

    @Test
    void aLookThatFoundSomethingIsFollowedByOthersUntilOneFindsNothing() {
        look(Duration.ZERO);
        looks.ask();

        assertThat(looks.begin()).isTrue();

        assertThat(untilNext()).isLessThanOrEqualTo(Duration.ZERO);
        look(Duration.ofMillis(1));
        assertThat(untilNext()).isBetween(OutboxStore.ANNOUNCED_EVERY, Duration.ofMillis(200));
    }

    @Test
    void whatIsFreeAgainIsLookedForAtOnce_butNotIfLooksAreSlow() {
        look(Duration.ZERO);
        looks.expectMore();
        assertThat(untilNext()).isLessThanOrEqualTo(Duration.ZERO);

        look(Duration.ofSeconds(2));
        looks.expectMore();
        assertThat(untilNext()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void whoAsksDuringALookGetsAnother() {
        assertThat(looks.begin()).isTrue();
        looks.ask();
        looks.pause(ticker.nanos());

        assertThat(looks.begin()).isTrue();
    }

    @Test
    void aSlowLookIsMadeLessOften_whoeverAsks() {
        look(Duration.ofSeconds(2));
        looks.ask();

        assertThat(untilNext()).isEqualTo(Duration.ofSeconds(20));
        assertThat(looks.begin()).isFalse();
    }

    @Test
    void aLookIsMadeAtTheEndOfEachPause_ifThatIsBeforeThePoll() {
        look(Duration.ZERO);
        looks.expectAfter(Duration.ofSeconds(4));
        looks.expectAfter(Duration.ofSeconds(1));

        assertThat(untilNext()).isBetween(Duration.ofMillis(1_001), Duration.ofMillis(1_100));
        ticker.advance(Duration.ofMillis(1_100));
        look(Duration.ZERO);
        assertThat(untilNext()).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(3));
        ticker.advance(Duration.ofSeconds(3));
        look(Duration.ZERO);
        assertThat(untilNext()).isEqualTo(POLL);
    }

    @Test
    void theEndOfALongPauseDoesNotDelayAPoll() {
        looks.expectAfter(POLL.multipliedBy(2));

        look(Duration.ZERO);

        assertThat(untilNext()).isEqualTo(POLL);
    }

    @Test
    void aSlowLookIsMadeLessOften_alsoAtTheEndOfAPause() {
        look(Duration.ofSeconds(2));

        looks.expectAfter(Duration.ofSeconds(1));

        assertThat(untilNext()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void pausesThatEndAlmostTogetherShareALook() {
        look(Duration.ZERO);
        looks.expectAfter(Duration.ofSeconds(1));
        looks.expectAfter(Duration.ofSeconds(1).plusNanos(1));

        ticker.advance(untilNext());
        look(Duration.ZERO);

        assertThat(untilNext()).isEqualTo(POLL);
    }

    @Test
    void aLookThatHadToWaitForTheDatabaseDoesNotStopTheDelivery() {
        look(Duration.ofSeconds(25));

        assertThat(untilNext()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }
}
