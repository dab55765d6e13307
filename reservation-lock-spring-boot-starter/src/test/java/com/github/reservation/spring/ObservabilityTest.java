// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.memory.Fault;
import com.github.reservation.memory.InMemoryStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, observations and health of a context. */
class ObservabilityTest {

    private final ApplicationContextRunner runner = Starter.inMemory().withUserConfiguration(Beans.class);

    @Test
    void metersAreBoundToTheRegistryOfTheContext() {
        runner.run(context -> {
            context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});

            assertThat(context.getBean(MeterRegistry.class).get("reservation.acquire")
                    .tags("domain", "orders", "backend", "memory", "result", "acquired").timer().count()).isEqualTo(1);
        });
    }

    @Test
    void withoutARegistryThereAreNoMeters() {
        Starter.inMemory()
                .run(context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
    }

    @Test
    void theWaitForALockIsAnObservation() {
        runner.run(context -> {
            context.getBean(Orders.class).ship("42");

            observations(context)
                    .hasObservationWithNameEqualTo("reservation.lock.acquire")
                    .that()
                    .hasContextualNameEqualTo("acquire orders")
                    .hasLowCardinalityKeyValue("domain", "orders")
                    .hasLowCardinalityKeyValue("result", "acquired")
                    .hasBeenStopped()
                    .doesNotHaveError();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theWaitOfAManagerIsAnObservationWhileItLasts(boolean ofThread) {
        runner.run(context -> {
            ReservationManager stock = context.getBean(ReservationManagers.class).get("stock");
            InMemoryStore store = context.getBean(InMemoryStore.class);
            try (ReservationManager other = ReservationManager.inMemory(store).domain("stock").build();
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                other.run("42", held -> {
                    threads.submit(() -> {
                        if (ofThread) {
                            stock.run("42", reservation -> {});
                        } else {
                            stock.acquire("42").close();
                        }
                        return null;
                    });
                    await().untilAsserted(() -> observations(context)
                            .hasObservationWithNameEqualTo("reservation.lock.acquire")
                            .that()
                            .hasBeenStarted()
                            .isNotStopped());
                });
            }

            observations(context).hasObservationWithNameEqualTo("reservation.lock.acquire")
                    .that()
                    .hasLowCardinalityKeyValue("domain", "stock")
                    .hasLowCardinalityKeyValue("result", "acquired")
                    .hasBeenStopped();
        });
    }

    @Test
    void aBusyLockIsAResultOfTheObservation() {
        runner.run(context -> {
            InMemoryStore store = context.getBean(InMemoryStore.class);
            try (ReservationManager other = ReservationManager.inMemory(store).domain("orders").build()) {
                other.run("42", held -> context.getBean(Orders.class).ship("42"));
            }

            observations(context).hasObservationWithNameEqualTo("reservation.lock.acquire")
                    .that()
                    .hasLowCardinalityKeyValue("result", "timeout")
                    .doesNotHaveError();
        });
    }

    @Test
    void aFailureOfTheStoreIsAnErrorOfTheObservation() {
        runner.run(context -> {
            context.getBean(InMemoryStore.class).failWith(Fault.UNAVAILABLE);

            assertThatExceptionOfType(ReservationException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).ship("42"));

            observations(context).hasObservationWithNameEqualTo("reservation.lock.acquire")
                    .that()
                    .hasLowCardinalityKeyValue("result", "error")
                    .hasError();
        });
    }

    @Test
    void aHandlerThatThrowsDoesNotAffectTheLock() {
        runner.run(context -> {
            ObservationRegistry registry = context.getBean(ObservationRegistry.class);
            registry.observationConfig().observationHandler(new FailingHandler());

            context.getBean(Orders.class).ship("42");

            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");
            assertThat(orders.getReservation("42").isLocked()).isFalse();
        });
    }

    @Test
    void aRunOfASourceIsAnObservation() {
        runner.withUserConfiguration(ExpirationTest.Counting.class).run(context -> {
            context.getBean(ExpirationJob.class).runOnce();

            observations(context)
                    .hasAnObservation(observation -> observation
                            .hasNameEqualTo("reservation.expiration.sweep")
                            .hasContextualNameEqualTo("expire counting")
                            .hasLowCardinalityKeyValue("source", "counting")
                            .doesNotHaveError())
                    .hasAnObservation(observation -> observation
                            .hasNameEqualTo("reservation.expiration.sweep")
                            .hasLowCardinalityKeyValue("source", "claims"));
        });
    }

    @Test
    void aRunThatFailsIsAnErrorOfTheObservation() {
        runner.withUserConfiguration(FailingSource.class).run(context -> {
            ExpirationRun run = context.getBean(ExpirationJob.class).runOnce();

            assertThat(run.sources()).anyMatch(source -> source.failure().isPresent());
            observations(context).hasAnObservation(observation -> observation
                    .hasNameEqualTo("reservation.expiration.sweep")
                    .hasLowCardinalityKeyValue("source", "counting")
                    .hasError());
        });
    }

    @Test
    void infoSaysWhereReservationsAreKept() {
        runner.withPropertyValues("reservation.auto-renew.max-hold=10m").run(context -> {
            Info.Builder info = new Info.Builder();
            context.getBean(InfoContributor.class).contribute(info);

            assertThat(info.build().getDetails()).containsEntry(
                    "reservations",
                    Map.of("kept", "in the memory of this JVM", "leaseTime", Duration.ofMinutes(1), "maxHold",
                            Duration.ofMinutes(10), "domains", Set.of("orders")));
        });
        runner.withPropertyValues("management.info.reservations.enabled=false").run(
                context -> assertThat(context).doesNotHaveBean(InfoContributor.class));
    }

    @Test
    void healthIsDownIfTheStoreDoesNotAnswer() {
        runner.run(context -> {
            Consumer<Status> status = expected -> assertThat(health(context).getStatus()).isEqualTo(expected);
            status.accept(Status.UP);

            context.getBean(InMemoryStore.class).failWith(Fault.UNAVAILABLE);
            status.accept(Status.DOWN);

            context.getBean(InMemoryStore.class).recover();
            status.accept(Status.UP);
            assertThat(health(context).getDetails()).containsEntry(
                    "domains", context.getBean(ReservationManagers.class).domains());
        });
    }

    @Test
    void healthCanBeSwitchedOff() {
        runner.withPropertyValues("management.health.reservations.enabled=false").run(
                context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }

    private static Health health(AssertableApplicationContext context) {
        return context.getBean(HealthIndicator.class).health();
    }

    private static TestObservationRegistryAssert observations(AssertableApplicationContext context) {
        return TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class));
    }

    static class Orders {

        @Reserved(domain = "orders", key = "#id", onBusy = OnBusy.SKIP)
        public void ship(String id) {}
    }

    static class FailingHandler implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onStop(Observation.Context context) {
            throw new ArithmeticException("a handler that fails");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FailingSource extends ExpirationTest.Counting {

        @Override
        public void expire(ExpirationTally tally) {
            throw new IllegalStateException("a source that fails");
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
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations() {
            return TestObservationRegistry.create();
        }
    }
}
