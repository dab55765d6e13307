// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Ticker;
import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clock on a time of its own: a member answers when the test says so. */
class ClusterClockTest {

    private static final long MEMBER = 1_735_732_800_000L;

    private final List<String> asked = new ArrayList<>();
    private long nanos = 42;
    private long wallClock = 99;
    private boolean answers = true;
    private long delay;
    private long suspension;
    private final ClusterClock clock = new ClusterClock(
            new Ticker() {
                @Override
                public long nanos() {
                    return nanos;
                }

                @Override
                public long epochMillis() {
                    return wallClock;
                }

                @Override
                public void parkUntil(Object blocker, long deadline) {
                    throw new AssertionError("it does not park");
                }
            },
            this::ask);

    private void ask(String message) {
        asked.add(message);
        if (answers) {
            long said = MEMBER + wallClock;
            pass(delay);
            wallClock += suspension; // The monotonic clock stands still.
            clock.answered(message, said);
        }
    }

    private void pass(long millis) {
        nanos += Duration.ofMillis(millis).toNanos();
        wallClock += millis;
    }

    private Moment now() throws StoreException {
        return clock.now(System.nanoTime() + Duration.ofMillis(50).toNanos());
    }

    /** Returns what the member's clock says now, in microseconds. */
    private long truth() {
        return (MEMBER + wallClock) * 1000;
    }

    @Test
    void theTrueTimeIsWithin_alsoIfTheAnswerWasSlow_andLongAfter() throws Exception {
        delay = 300;
        assertThat(now()).satisfies(moment -> assertThat(truth()).isBetween(moment.lo(), moment.hi()));

        for (int i = 0; i < 100; i++) {
            pass(7_000);
            long asked = truth();
            Moment moment = now(); // An answer on the way lets time pass here.
            assertThat(asked).isBetween(moment.lo(), moment.hi());
            assertThat(moment.hi() - moment.lo()).isLessThan(400_000);
        }
    }

    @Test
    void itAsksAgainNowAndThen_andGoesOnWithoutAnAnswer() throws Exception {
        Moment first = now();
        answers = false;
        for (int i = 0; i < 60; i++) {
            pass(1_000);
            Moment moment = now();
            assertThat(truth()).isBetween(moment.lo(), moment.hi());
        }

        assertThat(asked).hasSizeBetween(10, 41);
        assertThat(now().hi() - now().lo()).as("less is known").isGreaterThan(first.hi() - first.lo());
    }

    @Test
    void aSuspensionMakesItAskAgain_andWithoutAnAnswerItFails() throws Exception {
        now();
        wallClock += 60_000; // The monotonic clock stood still.

        assertThat(now()).satisfies(moment -> assertThat(truth()).isBetween(moment.lo(), moment.hi()));
        wallClock += 60_000;
        answers = false;
        assertThatThrownBy(this::now).isInstanceOf(StoreException.class).hasMessageContaining("what time it is");
    }

    @Test
    void aMessageThatWasUnderWayDuringASuspensionTellsNothing() throws Exception {
        now();
        pass(21_000);
        suspension = 60_000;
        now();
        suspension = 0;

        assertThat(now()).satisfies(moment -> assertThat(truth()).isBetween(moment.lo(), moment.hi()));
    }

    @Test
    void aSuspensionDuringTheFirstMessageMakesItAskAgain() throws Exception {
        suspension = 60_000;
        assertThatThrownBy(this::now).isInstanceOf(StoreException.class);
        suspension = 0;

        assertThat(now()).satisfies(moment -> assertThat(truth()).isBetween(moment.lo(), moment.hi()));
    }

    @Test
    void theMessagesOfOthersAreNotItsOwn() throws Exception {
        Moment before = now();
        clock.answered("somebody-else42", MEMBER + 1_000_000);

        assertThat(now()).isEqualTo(before);
    }
}
