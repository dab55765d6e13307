// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What takes too long is cancelled, and nothing else ever is. */
@SideBySide
class StatementWatchTest {

    private static final Duration LIMIT = Duration.ofMillis(50);
    private static final Duration TICK = Duration.ofMillis(1);
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final AtomicInteger cancels = new AtomicInteger();

    @Test
    void whatIsOverdueIsCancelledAndAgainIfTheDriverDidNotTakeIt() {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        long start = System.nanoTime();
        try (StatementWatch.Watched watched = watch.new Watched(connection(() -> {}))) {
            watched.start(statement(cancels::incrementAndGet), LIMIT);

            await().until(() -> cancels.get() >= 1);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LIMIT);
            await().until(() -> cancels.get() >= 2);
        }
    }

    @Test
    void aStatementOnTheSameConnectionHasTheWholeLimitAgain() {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        AtomicInteger cancelsOfTheSecond = new AtomicInteger();
        try (StatementWatch.Watched watched = watch.new Watched(connection(() -> {}))) {
            watched.start(statement(cancels::incrementAndGet), LIMIT);
            await().until(() -> cancels.get() > 0);

            long start = System.nanoTime();
            watched.start(statement(cancelsOfTheSecond::incrementAndGet), LIMIT);
            await().until(() -> cancelsOfTheSecond.get() > 0);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void oneThatHangsDoesNotKeepOthersFromBeingCancelled() {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        CountDownLatch serverHears = new CountDownLatch(1);
        StatementWatch.Watched hanging = watch.new Watched(connection(() -> {}));
        hanging.start(statement(() -> Actor.awaitUninterruptibly(serverHears)), LIMIT);
        try (StatementWatch.Watched other = watch.new Watched(connection(() -> {}))) {
            other.start(statement(cancels::incrementAndGet), LIMIT);

            await().until(() -> cancels.get() > 0);
        } finally {
            serverHears.countDown();
            hanging.close();
        }
    }

    @Test
    void theConnectionIsNotGivenBackWhileACancelIsUnderWay() throws InterruptedException {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch serverHears = new CountDownLatch(1);
        StatementWatch.Watched watched = watch.new Watched(connection(() -> {}));
        watched.start(statement(() -> {
            underWay.countDown();
            Actor.awaitUninterruptibly(serverHears);
        }), LIMIT);
        underWay.await();

        Thread closing = Thread.ofPlatform().start(watched::close);
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        serverHears.countDown();

        closing.join();
    }

    @Test
    void theNextStatementDoesNotStartWhileACancelOfTheOneBeforeIsUnderWay() throws InterruptedException {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch serverHears = new CountDownLatch(1);
        AtomicBoolean started = new AtomicBoolean();
        AtomicBoolean hitTheNext = new AtomicBoolean();
        try (StatementWatch.Watched watched = watch.new Watched(connection(() -> {}))) {
            watched.start(statement(() -> {
                underWay.countDown();
                Actor.awaitUninterruptibly(serverHears);
                hitTheNext.set(started.get());
            }), LIMIT);
            underWay.await();

            Thread starting = Thread.ofPlatform().start(() -> {
                watched.start(statement(cancels::incrementAndGet), FOR_EVER);
                started.set(true);
            });
            await().until(() -> starting.getState() == Thread.State.TIMED_WAITING || !starting.isAlive());
            serverHears.countDown();
            starting.join();
        }

        assertThat(hitTheNext).isFalse();
    }

    @Test
    void nothingIsCancelledOnceTheWatchIsOver() {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        StatementWatch.Watched over = watch.new Watched(connection(() -> {}));
        over.start(statement(cancels::incrementAndGet), LIMIT);
        over.close();
        int before = cancels.get(); // On a busy machine the limit can be over by then.

        AtomicInteger cancelsOfAnother = new AtomicInteger();
        try (StatementWatch.Watched another = watch.new Watched(connection(() -> {}))) {
            another.start(statement(cancelsOfAnother::incrementAndGet), LIMIT);
            await().until(() -> cancelsOfAnother.get() > 0);
        }

        assertThat(cancels).hasValue(before);
    }

    @Test
    void theThreadEndsWhenItIsQuietAndIsBackWhenItIsNeeded() {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        for (int round = 0; round < 3; round++) {
            try (StatementWatch.Watched watched = watch.new Watched(connection(() -> {}))) {
                int before = cancels.get();
                watched.start(statement(cancels::incrementAndGet), LIMIT);
                await().until(() -> cancels.get() > before);
            }
            await().until(() -> !watch.isAwake());
        }
    }

    @Test
    void asLongAsSomethingRunsTheThreadStays() {
        StatementWatch watch = new StatementWatch(TICK, FOR_EVER);
        try (StatementWatch.Watched watched = watch.new Watched(connection(() -> {}))) {
            watched.start(statement(cancels::incrementAndGet), FOR_EVER);

            await().during(Duration.ofMillis(200)).until(watch::isAwake);
        }
        assertThat(cancels).hasValue(0);
    }

    @Test
    void aConnectionThatDoesNotAnswerAfterTheCancelIsAborted() {
        StatementWatch watch = new StatementWatch(TICK, LIMIT);
        CountDownLatch aborted = new CountDownLatch(1);
        long start = System.nanoTime();
        try (StatementWatch.Watched watched = watch.new Watched(connection(aborted::countDown))) {
            watched.start(statement(cancels::incrementAndGet), LIMIT);

            Actor.awaitUninterruptibly(aborted);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(LIMIT.multipliedBy(2));
        assertThat(cancels).hasPositiveValue();
    }

    @Test
    void aCancelThatHangsNeitherKeepsTheConnectionFromBeingAbortedNorItsUserFromLeaving() {
        StatementWatch watch = new StatementWatch(TICK, LIMIT);
        CountDownLatch serverHears = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        try {
            try (StatementWatch.Watched watched = watch.new Watched(connection(aborted::countDown))) {
                watched.start(statement(() -> Actor.awaitUninterruptibly(serverHears)), LIMIT);

                Actor.awaitUninterruptibly(aborted);
            }
        } finally {
            serverHears.countDown();
        }
    }

    @Test
    void aConnectionIsNotAbortedOnceItsStatementIsOver() {
        StatementWatch watch = new StatementWatch(TICK, LIMIT);
        AtomicInteger aborts = new AtomicInteger();
        StatementWatch.Watched over = watch.new Watched(connection(aborts::incrementAndGet));
        over.start(statement(cancels::incrementAndGet), LIMIT);
        over.close();
        int before = aborts.get(); // On a busy machine the limit can be over by then.

        CountDownLatch another = new CountDownLatch(1);
        try (StatementWatch.Watched watched = watch.new Watched(connection(another::countDown))) {
            watched.start(statement(cancels::incrementAndGet), LIMIT);
            Actor.awaitUninterruptibly(another);
        }

        assertThat(aborts).hasValue(before);
    }

    @Test
    void theConnectionIsNotGivenBackWhileAnAbortIsUnderWay() throws InterruptedException {
        StatementWatch watch = new StatementWatch(TICK, LIMIT);
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch socketCloses = new CountDownLatch(1);
        AtomicBoolean givenBack = new AtomicBoolean();
        AtomicBoolean hitTheNextUser = new AtomicBoolean();
        CountDownLatch aborted = new CountDownLatch(1);
        StatementWatch.Watched watched = watch.new Watched(abortedOn(executor -> executor.execute(() -> {
            underWay.countDown();
            Actor.awaitUninterruptibly(socketCloses);
            hitTheNextUser.set(givenBack.get());
            aborted.countDown();
        })));
        watched.start(statement(cancels::incrementAndGet), LIMIT);
        underWay.await();

        Thread closing = Thread.ofPlatform().start(() -> {
            watched.close();
            givenBack.set(true);
        });
        await().until(() -> closing.getState() == Thread.State.WAITING || !closing.isAlive());
        socketCloses.countDown();

        aborted.await();
        closing.join();
        assertThat(hitTheNextUser).isFalse();
        assertThat(watched.isAborted()).isTrue();
    }

    @Test
    void anAbortThatFailsIsTriedAgain() {
        StatementWatch watch = new StatementWatch(TICK, LIMIT);
        AtomicInteger aborts = new AtomicInteger();
        try (StatementWatch.Watched watched = watch.new Watched(connection(() -> {
            if (aborts.incrementAndGet() == 1) {
                throw new IllegalStateException("No");
            }
        }))) {
            watched.start(statement(cancels::incrementAndGet), LIMIT);

            await().until(watched::isAborted);
        }
        assertThat(aborts).hasValue(2);
    }

    @Test
    void aCancelThatHangsAfterTheStatementIsOverCostsTheConnection() throws InterruptedException {
        StatementWatch watch = new StatementWatch(TICK, Duration.ofMillis(500));
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch serverHears = new CountDownLatch(1);
        StatementWatch.Watched watched = watch.new Watched(connection(() -> {}));
        watched.start(statement(() -> {
            underWay.countDown();
            Actor.awaitUninterruptibly(serverHears);
        }), LIMIT);
        underWay.await();

        try {
            Thread closing = Thread.ofPlatform().start(watched::close);
            assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
            assertThat(watched.isAborted()).isTrue();
        } finally {
            serverHears.countDown();
        }
    }

    @Test
    void aStatementIsCancelledAlthoughTheOneBeforeCouldBeEndedInNoWay() {
        StatementWatch watch = new StatementWatch(TICK, LIMIT);
        CountDownLatch serverHears = new CountDownLatch(1);
        CountDownLatch underWay = new CountDownLatch(1);
        StatementWatch.Watched watched = watch.new Watched(connection(() -> {
            throw new IllegalStateException("No");
        }));
        try {
            watched.start(statement(() -> {
                underWay.countDown();
                Actor.awaitUninterruptibly(serverHears);
            }), LIMIT);
            Actor.awaitUninterruptibly(underWay);

            watched.start(statement(cancels::incrementAndGet), Duration.ofMillis(500));
            serverHears.countDown();

            await().atMost(Duration.ofSeconds(3)).until(() -> cancels.get() > 0);
        } finally {
            serverHears.countDown();
            watched.close();
        }
    }

    private static Statement statement(Runnable onCancel) {
        return proxy(Statement.class, "cancel", arguments -> onCancel.run());
    }

    private static Connection connection(Runnable onAbort) {
        return proxy(Connection.class, "abort", arguments -> onAbort.run());
    }

    private static Connection abortedOn(Consumer<Executor> onAbort) {
        return proxy(Connection.class, "abort", arguments -> onAbort.accept((Executor) arguments[0]));
    }

    private static <T> T proxy(Class<T> type, String only, Consumer<Object[]> action) {
        return type.cast(Proxy.newProxyInstance(
                StatementWatchTest.class.getClassLoader(), new Class<?>[]{type}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo(only);
                    action.accept(arguments);
                    return null;
                }));
    }
}
