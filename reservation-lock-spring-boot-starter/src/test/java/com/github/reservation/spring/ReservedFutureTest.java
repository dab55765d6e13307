// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.FutureOrders.isLocked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.InMemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.support.TransactionTemplate;

/** A {@link Reserved} method that returns a future holds its lock until the future completes. */
class ReservedFutureTest {

    private final ApplicationContextRunner runner = FutureOrders.runner();

    private final CompletableFuture<String> work = new CompletableFuture<>();

    @Test
    void theLockIsHeldUntilTheFutureCompletesOnWhateverThread() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class).work("42", () -> work);
            assertThat(isLocked(context)).isTrue();
            assertThat(result).isNotDone();

            Thread.ofPlatform().start(() -> work.complete("done"));

            assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void theThreadThatCompletesTheFutureDoesNotWaitForTheStore() {
        runner.run(context -> {
            AtomicReference<Thread> releasing = new AtomicReference<>();
            CompletableFuture<Void> seen = context.getBean(FutureOrders.class)
                    .work("42", () -> work)
                    .thenRun(() -> releasing.set(Thread.currentThread()));

            Thread completing = Thread.ofPlatform().start(() -> work.complete("done"));

            seen.get(10, TimeUnit.SECONDS);
            assertThat(releasing.get()).isNotSameAs(completing);
        });
    }

    @Test
    void aFutureThatIsDoneIsReleasedBeforeTheCallReturns() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class)
                    .work("42", () -> CompletableFuture.completedFuture("done"));

            assertThat(result).isCompletedWithValue("done");
            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void aStageThatIsNoFutureIsAwaitedToo() {
        runner.run(context -> {
            CompletionStage<String> result =
                    context.getBean(FutureOrders.class).stage("42", work.minimalCompletionStage());
            assertThat(isLocked(context)).isTrue();

            work.complete("done");

            assertThat(result.toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void aFutureThatTheWorkCancelsReleasesTheLock() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class).work("42", () -> work);

            work.cancel(true);

            await().until(result::isCancelled);
            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void aCallerThatCancelsDoesNotReleaseTheLockOfWorkThatGoesOn() {
        runner.run(context -> {
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<String> result = context.getBean(FutureOrders.class).work("42",
                    () -> CompletableFuture.supplyAsync(() -> awaited(goOn), Thread::startVirtualThread));

            assertThat(result.cancel(true)).isTrue();

            assertThat(result).isCancelled();
            await().during(Duration.ofMillis(200)).until(() -> isLocked(context));
            goOn.countDown();
            await().until(() -> !isLocked(context));
        });
    }

    private static String awaited(CountDownLatch latch) {
        try {
            latch.await();
            return "done";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCallerThatWaitsNoLongerDoesNotReleaseTheLockOfWorkThatGoesOn() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class).work("42", () -> work);

            result.completeExceptionally(new IllegalStateException("too late"));

            assertThat(work).isNotDone();
            assertThat(isLocked(context)).isTrue();
            work.complete("done");
            await().until(() -> !isLocked(context));
        });
    }

    @Test
    void anExceptionBeforeTheFutureExistsReleasesTheLock() {
        runner.run(context -> {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> context.getBean(FutureOrders.class).work("42", () -> {
                        throw new ArithmeticException();
                    }));

            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void aMethodThatReturnsNoFutureReleasesTheLock() {
        runner.run(context -> {
            assertThat(context.getBean(FutureOrders.class).work("42", () -> null)).isNull();

            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void aBusyLockThrowsOrIsAFutureWithoutAValue() {
        runner.run(context -> {
            try (ReservationManager other = ReservationManager.inMemory(context.getBean(InMemoryStore.class))
                    .domain("orders").build()) {
                other.run("42", held -> {
                    assertThatExceptionOfType(ReservationBusyException.class)
                            .isThrownBy(() -> context.getBean(FutureOrders.class).work("42", () -> work));
                    assertThat(context.getBean(FutureOrders.class).skipped("42")).isCompletedWithValue(null);
                });
            }
            assertThat(context.getBean(FutureOrders.class).skipped("42")).isCompletedWithValue("ran");
        });
    }

    @Test
    void anAsynchronousMethodCanReturnAFuture() {
        runner.withUserConfiguration(Asynchronous.class).run(context -> {
            CompletableFuture<Long> result = context.getBean(Background.class).fence("42");

            assertThat(result.get(10, TimeUnit.SECONDS)).isPositive();
            assertThat(isLocked(context)).isFalse();
        });
    }

    @Test
    void insideATransactionTheLockIsHeldUntilBothTheTransactionAndTheFutureAreOver() {
        ApplicationContextRunner jdbc = Starter.withJdbc().withBean(FutureOrders.class);
        jdbc.run(context -> {
            TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
            FutureOrders orders = context.getBean(FutureOrders.class);

            transaction.executeWithoutResult(status -> {
                assertThat(orders.work("42", () -> CompletableFuture.completedFuture("done")))
                        .isCompletedWithValue("done");
                assertThat(isLocked(context)).isTrue();
            });
            assertThat(isLocked(context)).isFalse();

            transaction.executeWithoutResult(status -> orders.work("42", () -> work));
            assertThat(isLocked(context)).isTrue();
            work.complete("done");
            await().until(() -> !isLocked(context));
        });
    }

    static class Background {

        @Async
        @Reserved(domain = "orders", key = "#id")
        public CompletableFuture<Long> fence(String id) {
            return CompletableFuture.completedFuture(CurrentReservation.fencingToken().orElseThrow());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {

        @Bean
        Background background() {
            return new Background();
        }
    }
}
