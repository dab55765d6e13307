// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import io.micrometer.observation.ObservationRegistry;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Mono;

/** What a call of a {@link Reserved} method does. */
class ReservedTest {

    private final ApplicationContextRunner runner = Starter.inMemory()
            .withUserConfiguration(Beans.class)
            .withPropertyValues("app.domain=orders", "app.lease=7s", "reservation.reserved.max-wait=50ms");

    @Test
    void theLockIsHeldWhileTheMethodRunsAndReleasedAfterwards() {
        runner.run(context -> {
            Reservation order = order(context, "42");

            boolean held = context.getBean(Orders.class).work("42", () -> order.isHeldByCurrentThread());

            assertThat(held).isTrue();
            assertThat(order.isLocked()).isFalse();
        });
    }

    @Test
    void theKeyCanBeAPropertyOfAParameterOrAPositionOrAName() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(orders.byProperty(new Order(42, "alice"))).isEqualTo("alice-42");
            assertThat(orders.byPosition(42L)).isEqualTo("42");
            assertThat(orders.byName("7")).isEqualTo("7");
            assertThat(orders.constant()).isEqualTo("nightly");
            assertThat(orders.byBean()).isEqualTo("from a bean");
        });
    }

    @Test
    void placeholdersAreResolved() {
        runner.run(context -> assertThat(context.getBean(Orders.class).remainingLease("42"))
                .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(7)));
    }

    @Test
    void aKeyWithoutAValueIsRefusedAndTheMethodDoesNotRun() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThatIllegalArgumentException().isThrownBy(() -> orders.work(null, () -> "ran"))
                    .withMessageContainingAll("#id", "Orders.work", "is null");
            assertThatIllegalArgumentException().isThrownBy(() -> orders.byObject(new Object()))
                    .withMessageContaining("toString() differs from node to node");
            assertThatIllegalArgumentException().isThrownBy(() -> orders.byObject(new int[]{1}))
                    .withMessageContaining("int[]");
            assertThatIllegalArgumentException().isThrownBy(() -> orders.byProperty(null))
                    .withMessageContaining("failed");
        });
    }

    @Test
    void aBusyLockThrowsAfterTheWait() {
        runner.run(context -> whileHeld(context, "42", () -> {
            assertThatExceptionOfType(ReservationBusyException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).work("42", () -> "ran"))
                    .withMessageContainingAll("orders::42", "PT0.05S")
                    .satisfies(busy -> {
                        assertThat(busy.getDomain()).isEqualTo("orders");
                        assertThat(busy.getIdentifier()).isEqualTo("42");
                        assertThat(busy.getHolder()).hasValueSatisfying(holder -> assertThat(busy)
                                .message()
                                .as("a customer may read it")
                                .doesNotContain(holder));
                        assertThat(busy.getRemaining().orElseThrow()).isPositive();
                    });
        }));
    }

    @Test
    void aBusyLockCanBeSkipped() {
        runner.run(context -> whileHeld(context, "42", () -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(orders.skipped("42")).isNull();
            assertThat(orders.skippedOptional("42")).isEmpty();
            assertThat(orders.skipped("43")).isEqualTo("ran");
            assertThat(orders.skippedOptional("43")).contains("ran");
        }));
    }

    @Test
    void aSkippedCallAsksTheStoreOnlyForTheLock() {
        ObservationRegistry observations = ObservationRegistry.create();
        runner.withBean(ObservationRegistry.class, () -> observations).run(context -> whileHeld(context, "42", () -> {
            InMemoryStore store = context.getBean(InMemoryStore.class);
            observations.observationConfig()
                    .observationHandler(new ReservedHeldLockTest.StoreFailsAfterwards(store));

            assertThat(context.getBean(Orders.class).skipped("42")).isNull();
            store.recover();
        }));
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotABusyLock() {
        runner.run(context -> {
            context.getBean(InMemoryStore.class).failWith(Fault.UNAVAILABLE);

            assertThatExceptionOfType(ReservationAcquisitionException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).skipped("42"));
        });
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        runner.run(context -> {
            Thread.currentThread().interrupt();

            assertThatExceptionOfType(ReservationException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).work("42", () -> "ran"))
                    .isNotInstanceOf(ReservationAcquisitionException.class) // That is for the store alone.
                    .withCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void theExceptionOfTheMethodReachesTheCallerEvenIfTheLockWasLost() {
        runner.run(context -> {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).work("42", () -> {
                        context.getBean(InMemoryStore.class).expireNow("orders::42");
                        throw new ArithmeticException();
                    }))
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .hasOnlyElementsOfType(ReservationExpiredException.class));
            assertThat(order(context, "42").isLocked()).isFalse();
        });
    }

    @Test
    void aLostLockIsReportedAfterTheMethod() {
        runner.run(context -> assertThatExceptionOfType(ReservationExpiredException.class)
                .isThrownBy(() -> context.getBean(Orders.class).work(
                        "42", () -> context.getBean(InMemoryStore.class).expireNow("orders::42"))));
    }

    @Test
    void theLeaseIsRenewedWhileTheMethodRunsIfThePropertySaysSo() {
        runner.withPropertyValues("reservation.lease-time=3s", "reservation.auto-renew.max-hold=1m").run(
                context -> context.getBean(Orders.class).work("42", () -> {
                    AtomicReference<Duration> last = new AtomicReference<>(Duration.ofDays(1));
                    await().pollInSameThread().until(() -> {
                        Duration remaining = CurrentReservation.get().getRemainingLeaseTime();
                        return remaining.compareTo(last.getAndSet(remaining)) > 0;
                    });
                    return null;
                }));
    }

    @Test
    void aResultWhoseWorkGoesOnIsRefusedIfTheSignatureDidNotShowIt() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThatIllegalStateException().isThrownBy(() -> orders.work("42", CompletableFuture::new))
                    .withMessageContainingAll("Orders.work", "returned a CompletableFuture", "without the lock");
            assertThatIllegalStateException().isThrownBy(() -> orders.work("42", Mono::empty))
                    .withMessageContaining("without the lock");
            assertThat(order(context, "42").isLocked()).isFalse();
        });
    }

    @Test
    void theCurrentReservationIsThatOfTheInnermostMethod() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            orders.work("outer", () -> {
                long outer = CurrentReservation.fencingToken().orElseThrow();
                orders.work("inner", () -> assertThat(CurrentReservation.get().getIdentifier()).isEqualTo("inner"));
                assertThat(CurrentReservation.get().getIdentifier()).isEqualTo("outer");
                assertThat(CurrentReservation.fencingToken()).hasValue(outer);
                return null;
            });

            assertThat(CurrentReservation.find()).isEmpty();
            assertThatIllegalStateException().isThrownBy(CurrentReservation::fencingToken)
                    .withMessageContaining("no @Reserved method");
        });
    }

    @Test
    void aMethodCanBeCalledAgainWhileItsLockIsHeld() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);

            int holds = orders.work(
                    "42", () -> orders.work("42", () -> CurrentReservation.get().getHoldCount()));

            assertThat(holds).isEqualTo(2);
        });
    }

    @Test
    void aMetaAnnotationCanFixTheDomainAndLeaveTheKey() {
        runner.run(context -> assertThat(context.getBean(Orders.class).composed("42")).isEqualTo("orders::42"));
    }

    private static Reservation order(AssertableApplicationContext context, String identifier) {
        return context.getBean(ReservationManagers.class).get("orders").getReservation(identifier);
    }

    /** Another node holds the key. */
    private static void whileHeld(AssertableApplicationContext context, String identifier, Runnable test) {
        try (ReservationManager other = ReservationManager.inMemory(context.getBean(InMemoryStore.class))
                .domain("orders").build()) {
            other.run(identifier, held -> test.run());
        }
    }

    record Order(long id, String customer) {}

    @Retention(RetentionPolicy.RUNTIME)
    @Reserved(domain = "${app.domain}", key = "")
    @interface OneOrder {

        @AliasFor(annotation = Reserved.class, attribute = "key")
        String value();
    }

    static class Orders {

        @Reserved(domain = "orders", key = "#id")
        public <T> T work(String id, Supplier<T> work) {
            return work.get();
        }

        @Reserved(domain = "orders", key = "#order.customer + '-' + #order.id")
        public String byProperty(Order order) {
            return CurrentReservation.get().getIdentifier();
        }

        @Reserved(domain = "orders", key = "#p0")
        public String byPosition(long id) {
            return CurrentReservation.get().getIdentifier();
        }

        @Reserved(domain = "orders", key = "#number")
        public String byName(@P("number") String id) {
            return CurrentReservation.get().getIdentifier();
        }

        @Reserved(domain = "orders", key = "'nightly'")
        public String constant() {
            return CurrentReservation.get().getIdentifier();
        }

        @Reserved(domain = "orders", key = "@text")
        public String byBean() {
            return CurrentReservation.get().getIdentifier();
        }

        @Reserved(domain = "orders", key = "#object")
        public void byObject(Object object) {}

        @Reserved(domain = "${app.domain}", key = "#id", lease = "${app.lease}", maxWait = "${app.wait:1s}")
        public Duration remainingLease(String id) {
            return CurrentReservation.get().getRemainingLeaseTime();
        }

        @Reserved(domain = "orders", key = "#id", onBusy = OnBusy.SKIP)
        public String skipped(String id) {
            return "ran";
        }

        @Reserved(domain = "orders", key = "#id", onBusy = OnBusy.SKIP)
        public Optional<String> skippedOptional(String id) {
            return Optional.of("ran");
        }

        @OneOrder("#id")
        public String composed(String id) {
            return CurrentReservation.get().getReservationKey();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        InMemoryStore store() {
            return new InMemoryStore();
        }

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        String text() {
            return "from a bean";
        }
    }
}
