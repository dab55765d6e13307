// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.grant;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LossReason;
import com.github.reservation.Ticker;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.metrics.Instruments;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told of a loss by a thread that is slow: a second passes whenever it has read the clock. */
class LossesTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final ManualTicker clock = new ManualTicker();
    private final List<Duration> held = new CopyOnWriteArrayList<>();

    private final Losses losses = new Losses(
            "orders",
            slow(clock),
            new Meters(new Instruments() {
                @Override
                public void time(Meter meter, Duration elapsed, String... tags) {
                    held.add(elapsed);
                }
            }));

    private static Ticker slow(ManualTicker clock) {
        return new Ticker() {
            @Override
            public long nanos() {
                long now = clock.nanos();
                clock.advance(Duration.ofSeconds(1));
                return now;
            }

            @Override
            public long epochMillis() {
                return clock.epochMillis();
            }

            @Override
            public void parkUntil(Object blocker, long deadline) {
                throw new UnsupportedOperationException();
            }
        };
    }

    static Stream<BiConsumer<Losses, Grant>> waysToLose() {
        return Stream.of(Losses::loseIfOverdue, (losses, grant) -> losses.lose(List.of(grant), LossReason.FORCED));
    }

    @ParameterizedTest
    @MethodSource("waysToLose")
    void aLostGrantIsTimedUntilItWasLostAndNotUntilThatIsTold(BiConsumer<Losses, Grant> loses) {
        Grant grant = grant("42");
        clock.advance(LEASE);

        loses.accept(losses, grant);

        Awaitility.await().until(() -> !held.isEmpty());
        assertThat(held).containsExactly(LEASE);
    }

    @Test
    void theListenersOfManyGrantsShareSixteenThreads() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Set<String> told = ConcurrentHashMap.newKeySet();
        CountDownLatch goOn = new CountDownLatch(1);
        List<Grant> grants = IntStream.range(0, 50).mapToObj(i -> grant("many-" + i)).toList();
        grants.forEach(grant -> losses.addListener(grant, lost -> {
            threads.add(Thread.currentThread());
            Actor.awaitUninterruptibly(goOn);
            told.add(lost.identifier());
        }));

        losses.lose(grants, LossReason.FORCED);
        Awaitility.await().until(() -> threads.size() >= 16);
        goOn.countDown();

        Awaitility.await().until(() -> told.size() == grants.size());
        assertThat(threads).hasSize(16);
    }

    private Grant grant(String identifier) {
        Reading start = Reading.of(clock);
        LeaseId lease = new LeaseId("orders::" + identifier, "holder");
        return new Grant(
                identifier, lease, OptionalLong.empty(), Thread.currentThread(), start, LEASE, start.nanos());
    }
}
