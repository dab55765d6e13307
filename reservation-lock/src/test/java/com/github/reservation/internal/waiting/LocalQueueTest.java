// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import org.junit.jupiter.api.Test;

/** Who asks when, in the queue of one manager. */
class LocalQueueTest {

    private static final long NOW = 1_000;
    private static final long LATER = 5_000;
    private static final long DEADLINE = 9_000;
    private static final StoreException FAILURE = new StoreException(Kind.UNAVAILABLE, "down");

    private final LocalQueue queue = new LocalQueue(null);

    @Test
    void onlyTheHeadAsks() {
        Waiter first = enter();
        Waiter second = enter();

        assertThat(first.shouldAsk(NOW, DEADLINE)).isTrue();
        assertThat(second.shouldAsk(NOW, DEADLINE)).isFalse();
    }

    @Test
    void aWakeUpThatTheHeadDidNotUseIsTheNextOnes() {
        Waiter head = enter();
        Waiter next = enter();
        head.askAgainAt(LATER);
        queue.wake("key");

        queue.leaveWithoutKey(head);

        assertThat(next.shouldAsk(NOW, DEADLINE)).isTrue();
    }

    @Test
    void aHeadThatGivesUpPassesOnWhenToAskAndThatTheNodeIsInLine() {
        Waiter head = enter();
        Waiter next = enter();
        head.askAgainAt(LATER);
        head.stayInLine();

        assertThat(queue.leaveWithoutKey(head)).isFalse();

        assertThat(next.shouldAsk(NOW, DEADLINE)).isFalse();
        assertThat(next.shouldAsk(LATER, DEADLINE)).isTrue();
        assertThat(next.isInLine()).isTrue();
        assertThat(queue.leaveWithoutKey(next)).as("the last one").isTrue();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void whoeverFollowsAHeadThatGotTheKeyWaitsForTheHandOver() {
        Waiter head = enter();
        Waiter next = enter();

        queue.leaveWithKey(head, LATER);
        assertThat(next.shouldAsk(NOW, DEADLINE)).isFalse();
        queue.wakeAfterRelease("key", 0L);

        assertThat(next.shouldAsk(NOW, DEADLINE)).isTrue();
        assertThat(next.isInLine()).isTrue();
    }

    @Test
    void whoeverIsInLineBehindOtherNodesLooksLater() {
        Waiter head = enter();
        Waiter next = enter();
        next.shouldAsk(NOW, DEADLINE);

        queue.leaveWithKey(head, DEADLINE);
        queue.lookAfterRelease("key", 0L, LATER);

        assertThat(next.shouldAsk(NOW, DEADLINE)).isFalse();
        assertThat(next.shouldAsk(LATER, DEADLINE)).isTrue();
        assertThat(next.polls()).isTrue();
        assertThat(next.isInLine()).isTrue();
    }

    @Test
    void aReleaseKnowsWhetherItsNodeHadAPlaceInLine() {
        assertThat(queue.stayInLine("key")).isFalse();
        Waiter head = enter();

        assertThat(queue.stayInLine("key")).isFalse();
        assertThat(head.isInLine()).isTrue();
        assertThat(queue.stayInLine("key")).isTrue();
    }

    @Test
    void whoeverWouldLookAfterItsDeadlineAsksAtOnce() {
        Waiter head = enter();
        Waiter next = enter();
        next.shouldAsk(NOW, DEADLINE);

        queue.leaveWithKey(head, DEADLINE);
        queue.lookAfterRelease("key", 0L, DEADLINE + 1);

        assertThat(next.shouldAsk(NOW, DEADLINE)).isTrue();
    }

    @Test
    void whoeverWasAboutToAskBeforeStillDoes() {
        Waiter head = enter();
        Waiter next = enter();
        next.shouldAsk(NOW, DEADLINE);

        queue.leaveWithKey(head, LATER);
        queue.lookAfterRelease("key", 0L, DEADLINE);

        assertThat(next.shouldAsk(LATER, DEADLINE)).isTrue();
    }

    @Test
    void aQuestionThatIsDueAfterTheDeadlineIsNotAsked_howeverOftenTheWaiterIsWoken() {
        Waiter head = enter();
        head.askAgainAt(DEADLINE + 1);
        queue.wake("key");

        assertThat(head.shouldAsk(DEADLINE + 1, DEADLINE)).isFalse();
    }

    @Test
    void aQuestionWithoutAnAnswerIsAskedAgainAtOnceByWhoeverFollows() {
        Waiter head = enter();
        Waiter next = enter();
        head.askAgainAt(LATER);
        queue.wake("key");
        assertThat(head.shouldAsk(NOW, DEADLINE)).isTrue();

        queue.leaveWithoutKey(head);

        assertThat(next.shouldAsk(NOW, DEADLINE)).isTrue();
    }

    @Test
    void anOutageGoesOnForTheNextHead() {
        Waiter head = enter();
        Waiter next = enter();
        assertThat(head.storeFailed(FAILURE, NOW)).isZero();

        queue.leaveWithoutKey(head);

        assertThat(next.storeFailed(FAILURE, LATER)).isEqualTo(LATER - NOW);
        next.refused(NOW, NOW);
        assertThat(next.storeFailed(FAILURE, LATER)).isZero();
    }

    @Test
    void theHeadAsksOnceMoreWhenItsWaitIsOver() {
        Waiter head = enter();
        head.refused(NOW, NOW);

        assertThat(head.shouldAskOnceMore(DEADLINE)).isTrue();
        head.refused(DEADLINE, DEADLINE);
        assertThat(head.shouldAskOnceMore(DEADLINE)).isFalse();
    }

    @Test
    void theHeadDoesNotAskOnceMoreIfTheStoreFails_orAnswersSlowly() {
        Waiter slow = enter();
        slow.refused(NOW, NOW + (DEADLINE - NOW) / 2);
        assertThat(slow.shouldAskOnceMore(DEADLINE)).isFalse();
        slow.refused(NOW, NOW);
        slow.storeFailed(FAILURE, LATER);

        assertThat(slow.shouldAskOnceMore(DEADLINE)).isFalse();
    }

    private Waiter enter() {
        return queue.enter("key", Thread.currentThread(), NOW);
    }
}
