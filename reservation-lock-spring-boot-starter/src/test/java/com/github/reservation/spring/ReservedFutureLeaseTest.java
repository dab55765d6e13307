// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.FutureOrders.isLocked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.memory.InMemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.support.TransactionTemplate;

/** The lock of a {@link Reserved} method that returns a future: how long its lease lasts, and what a lost lease does. */
class ReservedFutureLeaseTest {

    private final ApplicationContextRunner runner = FutureOrders.runner();

    private final CompletableFuture<String> work = new CompletableFuture<>();

    @Test
    void aLostLockFailsTheFuture() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class).work("42", () -> work);
            context.getBean(InMemoryStore.class).expireNow("orders::42");

            work.complete("done");

            assertThat(result).failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(ReservationExpiredException.class);
        });
    }

    @Test
    void theFailureOfTheWorkReachesTheCallerEvenIfTheLockWasLost() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class).work("42", () -> work);
            context.getBean(InMemoryStore.class).expireNow("orders::42");
            ArithmeticException failure = new ArithmeticException();

            work.completeExceptionally(failure);

            assertThat(result).failsWithin(Duration.ofSeconds(10)).withThrowableThat().withCause(failure);
            assertThat(failure.getSuppressed()).hasOnlyElementsOfType(ReservationExpiredException.class);
        });
    }

    @Test
    void withoutAutomaticRenewalTheLockEndsWithItsLease() {
        runner.run(context -> {
            CompletableFuture<String> result = context.getBean(FutureOrders.class).shortLease("42", null, work);

            await().until(() -> !isLocked(context)); // The lock trusts its lease a bit less long than the store.
            work.complete("done");

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(result::join)
                    .withCauseInstanceOf(ReservationExpiredException.class);
        });
    }

    @Test
    void withAutomaticRenewalTheLockOutlivesItsLease() {
        runner.withPropertyValues("reservation.lease-time=2s", "reservation.auto-renew.max-hold=1m")
                .run(this::outlivesItsLease);
    }

    @Test
    void aCustomizerOfTheManagerDecidesWhetherTheLockIsRenewed() {
        runner.withBean(LongHolds.class).withPropertyValues("reservation.lease-time=2s")
                .run(this::outlivesItsLease);
    }

    private void outlivesItsLease(AssertableApplicationContext context) throws Exception {
        CompletableFuture<String> result = context.getBean(FutureOrders.class).renewed("42", null, work);
        HeldLock lock = context.getBean(FutureOrders.class).last();
        AtomicReference<Duration> remaining = new AtomicReference<>(lock.remaining());

        await().until(() -> lock.remaining().compareTo(remaining.getAndSet(lock.remaining())) > 0);
        work.complete("done");

        assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
    }

    static class LongHolds implements ReservationManagerCustomizer<AbstractReservationManagerBuilder<?>> {

        @Override
        public void customize(String domain, AbstractReservationManagerBuilder<?> builder) {
            builder.autoRenew(Duration.ofMinutes(1));
        }
    }

    @Test
    void aTransactionWhoseLockWasLostIsRolledBack() {
        Starter.withJdbc().withBean(FutureOrders.class).run(context -> {
            TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
            assertThat(isLocked(context)).as("a first look, so that connections are there").isFalse();

            assertThatExceptionOfType(ReservationExpiredException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        context.getBean(FutureOrders.class).shortLease("42", null, work);
                        await().until(() -> !context.getBean(FutureOrders.class).last().isHeld());
                    }));
        });
    }
}
