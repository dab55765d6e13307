// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster of one member, which answers when the test says so. */
@Needs(Backend.HAZELCAST)
@Timeout(60)
class MajorityTest {

    private static HazelcastInstance member;

    @BeforeAll
    static void start() {
        member = TestInstances.member();
        member.getMap("any").put("a partition", "for the member");
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    private static long in(long millis) {
        return System.nanoTime() + Duration.ofMillis(millis).toNanos();
    }

    @Test
    void aCallerWithoutTimeDoesNotAnswerForTheNextOne() {
        Majority majority = new Majority(member, (key, deadline) -> {
            if (deadline - System.nanoTime() <= 0) {
                throw new StoreException(Kind.OUTCOME_UNKNOWN, "too late");
            }
        });

        assertThat(majority.isHeard(in(-1))).isFalse();
        assertThat(majority.isHeard(in(10_000))).isTrue();
    }

    @Test
    void aCallerDoesNotWaitForAnotherOneBeyondItsDeadline() throws Exception {
        Executor own = task -> Thread.ofPlatform().daemon().start(task);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Majority majority = new Majority(member, (key, deadline) -> {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new StoreException(Kind.OUTCOME_UNKNOWN, "interrupted", e);
            }
        });
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> majority.isHeard(in(60_000)), own);
        asked.await();

        CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> majority.isHeard(in(20)), own);

        assertThat(second.get(10, TimeUnit.SECONDS)).isFalse();
        answer.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
    }
}
