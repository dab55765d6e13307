// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.torture.check.Finding;
import com.github.reservation.torture.history.WrittenHistory;
import org.junit.jupiter.api.Test;

class EventCheckTest {

    private static final String A = "worker-1";
    private static final String B = "worker-2";

    private final WrittenHistory calls = new WrittenHistory();

    private void isLegal() {
        assertThat(new EventCheck().of(calls.history()).findings()).isEmpty();
    }

    private void breaks(String rule) {
        assertThat(new EventCheck().of(calls.history()).findings()).extracting(Finding::rule).containsOnly(rule);
    }

    @Test
    void acceptsRepeatsInOrder() {
        calls.call(A, 0, 10, "deliver quick/k received step=1")
                .call(A, 10, 20, "deliver quick/k threw step=2")
                .call(B, 30, 40, "deliver quick/k received step=1")
                .call(B, 40, 50, "deliver quick/k received step=2")
                .lost(B, 50, "deliver quick/k unknown step=3")
                .call(A, 60, 70, "deliver quick/k received step=3");
        isLegal();
    }

    @Test
    void acceptsOtherKeysAndListenersAtOnce() {
        calls.call(A, 0, 10, "deliver quick/k received step=1")
                .call(B, 0, 10, "deliver slow/k received step=1")
                .call(B, 5, 10, "deliver quick/l received step=1");
        isLegal();
    }

    @Test
    void findsAnEventThatOvertakesAnother() {
        calls.call(A, 0, 10, "deliver quick/k received step=2")
                .call(A, 20, 30, "deliver quick/k received step=1");
        breaks("outbox-order");
    }

    @Test
    void findsAnEventThatDoesNotWaitForOneThatFailed() {
        calls.call(A, 0, 10, "deliver quick/k threw step=1")
                .call(A, 20, 30, "deliver quick/k received step=2")
                .call(A, 40, 50, "deliver quick/k received step=1");
        breaks("outbox-order");
    }

    @Test
    void findsASecondEventOfAStep() {
        calls.call(A, 0, 10, "deliver quick/k received step=1 event=7")
                .call(B, 20, 30, "deliver quick/k received step=1 event=7")
                .call(B, 40, 50, "deliver quick/k received step=1 event=8");
        breaks("outbox-committed");
    }

    @Test
    void findsTwoDeliveriesAtOnce() {
        calls.call(A, 0, 100, "deliver quick/k received step=1")
                .call(B, 50, 60, "deliver quick/k received step=1");
        breaks("outbox-one-at-a-time");
    }

    @Test
    void excusesAWorkerThatWasStoppedForMoreThanHalfOfTheLease() {
        calls.call(A, 10_000, 30_000, "deliver quick/k received step=1")
                .call("nemesis", 11_000, 17_000, "fault pause over victim=worker-1")
                .call(B, 25_000, 25_010, "deliver quick/k received step=1");
        isLegal();
        assertThat(new EventCheck().of(calls.history()).counts()).containsEntry("deliveries-at-once-excused", 1L);
    }

    @Test
    void doesNotExcuseAWorkerForTheFaultOfAnother() {
        calls.call(A, 10_000, 30_000, "deliver quick/k received step=1")
                .call("nemesis", 11_000, 17_000, "fault pause over victim=worker-2")
                .call(B, 25_000, 25_010, "deliver quick/k received step=1");
        breaks("outbox-one-at-a-time");
    }
}
