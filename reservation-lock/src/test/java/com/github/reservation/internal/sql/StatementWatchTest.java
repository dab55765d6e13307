// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import java.lang.reflect.Proxy;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What takes too long is cancelled, and nothing else ever is. */
class StatementWatchTest {

    private static final Duration LIMIT = Duration.ofMillis(50);
    private static final Duration TICK = Duration.ofMillis(1);
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final AtomicInteger cancels = new AtomicInteger();

    @Test
    void whatIsOverdueIsCancelledAndAgainIfTheDriverDidNotTakeIt() {
        StatementWatch watch = new StatementWatch(TICK);
        long start = System.nanoTime();
        try (StatementWatch.Watched watched = watch.new Watched(LIMIT)) {
            watched.start(statement(cancels::incrementAndGet));

            await().until(() -> cancels.get() >= 1);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LIMIT);
            await().until(() -> cancels.get() >= 2);
        }
    }

    @Test
    void aStatementOnTheSameConnectionHasTheWholeLimitAgain() {
        StatementWatch watch = new StatementWatch(TICK);
        AtomicInteger cancelsOfTheSecond = new AtomicInteger();
        try (StatementWatch.Watched watched = watch.new Watched(LIMIT)) {
            watched.start(statement(cancels::incrementAndGet));
            await().until(() -> cancels.get() > 0);

            long start = System.nanoTime();
            watched.start(statement(cancelsOfTheSecond::incrementAndGet));
            await().until(() -> cancelsOfTheSecond.get() > 0);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void oneThatHangsDoesNotKeepOthersFromBeingCancelled() {
        StatementWatch watch = new StatementWatch(TICK);
        CountDownLatch serverHears = new CountDownLatch(1);
        StatementWatch.Watched hanging = watch.new Watched(LIMIT);
        hanging.start(statement(() -> Actor.awaitUninterruptibly(serverHears)));
        try (StatementWatch.Watched other = watch.new Watched(LIMIT)) {
            other.start(statement(cancels::incrementAndGet));

            await().until(() -> cancels.get() > 0);
        } finally {
            serverHears.countDown();
            hanging.close();
        }
    }

    @Test
    void theConnectionIsNotGivenBackWhileACancelIsUnderWay() throws InterruptedException {
        StatementWatch watch = new StatementWatch(TICK);
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch serverHears = new CountDownLatch(1);
        StatementWatch.Watched watched = watch.new Watched(LIMIT);
        watched.start(statement(() -> {
            underWay.countDown();
            Actor.awaitUninterruptibly(serverHears);
        }));
        underWay.await();

        Thread closing = Thread.ofPlatform().start(watched::close);
        await().until(() -> closing.getState() == Thread.State.WAITING);
        serverHears.countDown();

        closing.join();
    }

    @Test
    void nothingIsCancelledOnceTheWatchIsOver() {
        StatementWatch watch = new StatementWatch(TICK);
        StatementWatch.Watched over = watch.new Watched(LIMIT);
        over.start(statement(cancels::incrementAndGet));
        over.close();
        int before = cancels.get(); // On a busy machine the limit can be over by then.

        AtomicInteger cancelsOfAnother = new AtomicInteger();
        try (StatementWatch.Watched another = watch.new Watched(LIMIT)) {
            another.start(statement(cancelsOfAnother::incrementAndGet));
            await().until(() -> cancelsOfAnother.get() > 0);
        }

        assertThat(cancels).hasValue(before);
    }

    @Test
    void theThreadEndsWhenItIsQuietAndIsBackWhenItIsNeeded() {
        StatementWatch watch = new StatementWatch(TICK);
        for (int round = 0; round < 3; round++) {
            try (StatementWatch.Watched watched = watch.new Watched(LIMIT)) {
                int before = cancels.get();
                watched.start(statement(cancels::incrementAndGet));
                await().until(() -> cancels.get() > before);
            }
            await().until(() -> !watch.isAwake());
        }
    }

    @Test
    void asLongAsSomethingRunsTheThreadStays() {
        StatementWatch watch = new StatementWatch(TICK);
        try (StatementWatch.Watched watched = watch.new Watched(FOR_EVER)) {
            watched.start(statement(cancels::incrementAndGet));

            await().during(Duration.ofMillis(200)).until(watch::isAwake);
        }
        assertThat(cancels).hasValue(0);
    }

    private static Statement statement(Runnable onCancel) {
        return (Statement) Proxy.newProxyInstance(
                StatementWatchTest.class.getClassLoader(),
                new Class<?>[]{Statement.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("cancel");
                    onCancel.run();
                    return null;
                });
    }
}
