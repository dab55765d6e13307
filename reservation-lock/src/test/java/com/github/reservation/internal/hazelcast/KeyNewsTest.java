// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.internal.base.LeaseRow;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.topic.ITopic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@Needs(Backend.HAZELCAST)
class KeyNewsTest {

    private static final String NAME = "reservations-news";

    private static HazelcastInstance member;

    private final BlockingQueue<String> changed = new LinkedBlockingQueue<>();
    private final KeyNews news = new KeyNews(member, NAME, (key, record) -> changed.add(key));
    private final LimitedCalls calls = new LimitedCalls(() -> false);

    @BeforeAll
    static void start() {
        member = TestInstances.member();
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    @AfterEach
    void close() {
        news.close();
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofSeconds(10).toNanos();
    }

    private static MapRecord record(String key) {
        return MapRecord.next(null, new LeaseRow(new LeaseId(key, "a-1"), 1, 1, 1, List.of(), 1));
    }

    @Test
    void whatIsToldArrives_andMessagesOfOthersAreNotOurs() throws Exception {
        news.start(calls, soon());
        ITopic<Object> topic = member.getTopic(NAME);
        for (Object foreign : List.of(42, "", "K", "Kx:y", "K-1:y", "K99:short", "K99999999999:y", "K1", "hello")) {
            assertThatCode(() -> news.received(foreign, 1)).doesNotThrowAnyException();
            topic.publish(foreign);
        }
        news.tell("line\nbreak", record("line\nbreak"));

        assertThat(changed.poll(10, TimeUnit.SECONDS)).isEqualTo("line\nbreak");
    }

    @Test
    void afterItsEndTheTimeCanStillBeAsked_andNoListenerStays() throws Exception {
        news.close();

        news.start(calls, soon());

        assertThat(news.clock().isKnown()).isTrue();
        assertThat(news.isListening()).isFalse();
        assertThat(news.clock().now(soon()).lo()).isPositive();
    }

    @Test
    void anInterruptedCallerLeavesTheListenerToTheNextOne() throws Exception {
        Thread.currentThread().interrupt();
        try {
            news.start(calls, soon());
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("Interrupted"); // Unless the listener was quicker than the caller.
        }
        assertThat(Thread.interrupted()).isTrue();

        news.start(calls, soon());
        news.tell("42", record("42"));

        assertThat(changed.poll(10, TimeUnit.SECONDS)).isEqualTo("42");
        assertThat(changed.poll(200, TimeUnit.MILLISECONDS)).as("a second listener").isNull();
    }
}
