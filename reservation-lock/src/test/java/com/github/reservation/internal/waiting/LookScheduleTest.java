// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.Acquisition.Refused;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a refused node looks again, in numbers. */
class LookScheduleTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final long START = Duration.ofDays(1).toNanos();

    private final LookSchedule looks =
            new LookSchedule(new PollIntervals(Duration.ofMillis(1), Duration.ofMillis(100)), START);

    @ParameterizedTest(name = "granted {0} µs ago: the first in line pauses for {1} µs")
    @CsvSource({"0, 1000", "16000, 1000", "32000, 2000", "800000, 50000", "1600000, 100000", "60000000, 100000"})
    void theFirstInLinePausesForASixteenthOfTheHoldWithinLimits(long grantedAgo, long pause) {
        assertThat(pause(inLine(0, grantedAgo), at(0))).isEqualTo(pause);
    }

    @ParameterizedTest(name = "{0} ahead: {1} µs after a fresh grant, {2} µs in a hold of 800 ms")
    @CsvSource({"0, 1000, 50000", "1, 2000, 100000", "3, 4000, 100000", "15, 16000, 100000"})
    void aNodePausesLongerTheMoreAreAhead(int ahead, long fresh, long slow) {
        assertThat(pause(inLine(ahead, 500), at(0))).isEqualTo(fresh);
        assertThat(pause(inLine(ahead, 800_000), at(800))).isEqualTo(slow);
    }

    @Test
    void aNodeThatDoesNotMoveUpWhileTheKeyIsGrantedLooksOnceInAStay() {
        pause(inLine(0, 300), at(0));

        assertThat(pause(inLine(0, 200), at(1))).as("granted since the last look").isEqualTo(10_000);
        assertThat(pause(inLine(0, 19_200), at(20))).as("not granted since").isEqualTo(1_200);
    }

    @Test
    void aGrantOlderThanAStayIsNotPassedOnAgain() {
        pause(inLine(0, 300), at(0));

        assertThat(pause(inLine(0, 9_000), at(10))).isEqualTo(10_000);
        assertThat(pause(inLine(0, 10_000), at(30))).isEqualTo(1_000);
    }

    @Test
    void aSlowAnswerDoesNotMakeAGrantLookNew() {
        pause(inLine(0, 300), at(0));

        long pause = looks.longestPauseAfter(inLine(0, 4_000), true, at(1), at(6));

        assertThat(micros(pause)).isEqualTo(1_000);
    }

    @Test
    void aKeyWithoutAHolderIsTakenSoonByTheNodeAhead() {
        pause(inLine(1, 2_000_000), at(0));

        assertThat(pause(inLine(1, 0), at(100))).isEqualTo(2_000);
    }

    @Test
    void aNodePausesForAsLongAsItsLookTookButNotLongerThanTheLongestPause() {
        assertThat(micros(looks.pauseAfter(inLine(0, 500), true, at(0), at(7)))).isEqualTo(7_000);
        assertThat(micros(looks.pauseAfter(inLine(0, 500), true, at(20), at(2_000)))).isEqualTo(100_000);
    }

    @Test
    void aNodeThatHasMovedUpLooksSoonUnlessOthersWereSeenToPassTheKeyOn() {
        pause(inLine(2, 300), at(0));

        assertThat(pause(inLine(1, 200), at(3))).isEqualTo(2_000);
        assertThat(pause(inLine(1, 200), at(5))).as("not moved").isEqualTo(20_000);
        assertThat(pause(inLine(0, 200), at(25))).as("moved").isEqualTo(10_000);
    }

    @Test
    void aThreadThatLooksForTheFirstTimeAfterAWaitCountsTheGrantsOfItsWait() {
        assertThat(pause(inLine(1, 200), at(50))).isEqualTo(20_000);
    }

    @Test
    void aThreadThatJoinsTheLineDoesNotTakeTheGrantOfThatMomentForOneThatWasPassedOn() {
        assertThat(micros(looks.longestPauseAfter(inLine(0, 200), false, at(1), at(1)))).isEqualTo(1_000);
    }

    @Test
    void aNodeThatAFullLineHasNoRoomForLooksHalfAsOftenAsTheSlowestInLine() {
        Refused outside = new Refused(LEASE, false, 16, Optional.of(Duration.ofSeconds(10)));

        assertThat(pause(outside, at(0))).isEqualTo(200_000);
    }

    @Test
    void aNodeOutsideAFullLineDoesNotPauseLongerThanANewcomer() {
        Refused outside = new Refused(LEASE, false, 16, Optional.of(Duration.ofNanos(200_000)));

        assertThat(micros(looks.longestPauseAfter(outside, false, at(0), at(0)))).isEqualTo(17_000);
        assertThat(pause(outside, at(17))).isEqualTo(17_000);
    }

    @Test
    void aStoreThatDoesNotKnowWhenItGrantedTheKeyIsAskedAfterPausesThatDouble() {
        Refused unknown = new Refused(LEASE, false);

        for (long longest : new long[]{1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 100_000}) {
            assertThat(micros(looks.pauseAfter(unknown, true, at(0), at(0)))).isBetween(longest / 2, longest);
        }
    }

    @Test
    void aRefusalThatSaysNothingDoesNotChangeThePlaceInLine() {
        pause(inLine(1, 300), at(0));
        looks.pauseAfter(new Refused(Duration.ZERO, false), true, at(2), at(2));

        assertThat(pause(inLine(1, 200), at(4))).as("not moved").isEqualTo(20_000);
    }

    @Test
    void aHoldOfYearsDoesNotOverflow() {
        Duration years = Duration.ofDays(100_000);
        LookSchedule rare = new LookSchedule(new PollIntervals(Duration.ofHours(1), Duration.ofHours(1)), START);

        assertThat(rare.longestPauseAfter(new Refused(LEASE, true, 15, Optional.of(years)), true, at(0), at(0)))
                .isEqualTo(Duration.ofHours(1).toNanos());
    }

    private long pause(Refused refused, long now) {
        return micros(looks.longestPauseAfter(refused, true, now, now));
    }

    private static Refused inLine(int ahead, long grantedAgo) {
        return new Refused(LEASE, true, ahead, Optional.of(Duration.ofNanos(grantedAgo * 1_000)));
    }

    private static long at(long millis) {
        return START + Duration.ofMillis(millis).toNanos();
    }

    private static long micros(long nanos) {
        return nanos / 1_000;
    }
}
