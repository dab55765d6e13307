// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.Transactor;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.spring.OutboxEndpoint.Parked;
import com.hazelcast.core.HazelcastInstance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** The bean {@link Outbox}: who appends, who listens, and when it ends. */
class OutboxTest {

    private final ApplicationContextRunner runner = Starter.withJdbc()
            .withUserConfiguration(Listeners.class)
            .withPropertyValues(
                    "reservation.outbox.enabled=true",
                    "reservation.outbox.poll-interval=20ms",
                    "reservation.outbox.max-attempts=3",
                    "reservation.outbox.event-types=" + Shipped.class.getName());

    @TempDir
    private Path directory;

    @Test
    void thereIsNoOutboxUnlessTheApplicationAsksForIt() {
        Starter.withJdbc().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(Outbox.class)
                .doesNotHaveBean(TransactionalOutbox.class)
                .doesNotHaveBean(OutboxDelivery.class));
    }

    @Test
    void anEventOfATransactionReachesListenersAfterItsCommit() {
        runner.run(context -> {
            Listeners listeners = context.getBean(Listeners.class);

            transaction(context).executeWithoutResult(status -> {
                context.getBean(TransactionalOutbox.class).append("order-1", new Shipped("1"));
                status.setRollbackOnly();
            });
            transaction(context).executeWithoutResult(
                    status -> context.getBean(TransactionalOutbox.class).append("order-2", new Shipped("2")));

            await().untilAsserted(() -> assertThat(listeners.shipped).containsExactly(new Shipped("2")));
            await().untilAsserted(() -> assertThat(context.getBean(Outbox.class).backlog().pending()).isZero());
        });
    }

    @Test
    void withoutATransactionNothingIsAppended() {
        runner.run(context -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(TransactionalOutbox.class).append("order-1", new Shipped("1")))
                    .withMessageContaining("@Transactional");
            assertThat(context.getBean(Outbox.class).backlog().pending()).isZero();
        });
    }

    @Test
    void aListenerThatFailsIsCalledAgain() {
        runner.run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            listeners.failures.set(2);

            ship(context, "1");

            await().untilAsserted(() -> assertThat(listeners.shipped).containsExactly(new Shipped("1")));
            assertThat(listeners.calls).hasValue(3);
        });
    }

    @Test
    void anEventThatFailsTooOftenIsParkedUntilAnOperatorDecides() {
        runner.run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            listeners.failures.set(6);
            OutboxEndpoint endpoint = new OutboxEndpoint(context.getBean(Outbox.class));

            ship(context, "1");
            ship(context, "2");
            await().untilAsserted(() -> assertThat(health(context)).contains("pending=0", "parked=2", "oldest="));
            Parked parked = endpoint.parked(null, 1);
            assertThat(parked.parked()).isEqualTo(2);
            assertThat(parked.events()).singleElement().satisfies(event -> {
                assertThat(event.type()).contains("Shipped");
                assertThat(event.failures()).singleElement()
                        .satisfies(failure -> assertThat(failure.error()).contains("not yet"));
            });
            long first = parked.events().getFirst().id();
            long second = endpoint.parked(first, null).events().getFirst().id();

            assertThat(endpoint.retry(first).changed()).isTrue();
            assertThat(endpoint.discard(second).changed()).isTrue();
            assertThat(endpoint.discard(second).changed()).isFalse();

            await().untilAsserted(() -> assertThat(listeners.shipped).hasSize(1));
            await().untilAsserted(() -> assertThat(health(context)).contains("pending=0", "parked=0"));
            assertThat(context.getBean(HealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void eventsOfClaimsAreDeliveredByTheOutboxAlone() {
        runner.run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            listeners.failures.set(1);

            transaction(context).executeWithoutResult(status -> {
                reserve(context, "alice@example.com");
                status.setRollbackOnly();
            });
            reserve(context, "bob@example.com");

            await().untilAsserted(() -> assertThat(listeners.claims).hasExactlyElementsOfTypes(ClaimReserved.class));
            assertThat(listeners.calls).as("one failed, one succeeded").hasValue(2);
        });
    }

    @Test
    void ifLocksAreOnHazelcastTheOutboxAloneDeliversTheEventsOfClaims() {
        runner.withBean(HazelcastInstance.class, ClaimsTest::hazelcast).run(context -> {
            reserve(context, "alice@example.com");
            await().until(() -> context.getBean(Outbox.class).backlog().pending() == 0);

            assertThat(context.getBean(Backend.class)).isInstanceOf(HazelcastBackend.class);
            assertThat(context.getBean(Listeners.class).claims).hasExactlyElementsOfTypes(ClaimReserved.class);
        });
    }

    @Test
    void claimsInMemoryNeedNoOutbox() {
        runner.withPropertyValues("reservation.backend=memory").run(context -> {
            reserve(context, "alice@example.com");

            assertThat(context.getBean(Listeners.class).claims).hasExactlyElementsOfTypes(ClaimReserved.class);
        });
    }

    @Test
    void eventsOfExpiredRowsAreDeliveredByTheOutbox() {
        runner.withUserConfiguration(Orders.class).run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            listeners.failures.set(1);

            context.getBean(ExpirationJob.class).runOnce();

            await().untilAsserted(() -> assertThat(listeners.shipped).containsExactly(new Shipped("1")));
        });
    }

    @Test
    void missingTablesStopTheStartAndTheErrorSaysHowToCreateThem() {
        ApplicationContextRunner onFile =
                runner.withPropertyValues("spring.datasource.url=jdbc:h2:file:" + directory.resolve("outbox"));
        Starter.withJdbc()
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:file:" + directory.resolve("outbox"),
                        "reservation.jdbc.initialize-schema=always")
                .run(context -> assertThat(context).hasNotFailed());

        onFile.run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("The table of the outbox RESERVATION_OUTBOX cannot be read");
            assertThat(analysis.getAction()).contains("ddl h2-outbox", "reservation.outbox.table-name");
        });
        onFile.withPropertyValues("reservation.jdbc.initialize-schema=always",
                "reservation.outbox.table-name=MY_EVENTS")
                .run(context -> {
                    ship(context, "1");
                    await().untilAsserted(() -> assertThat(context.getBean(Listeners.class).shipped).hasSize(1));
                });
    }

    @Test
    void aWrongTypeOfEventsStopsTheStart() {
        runner.withPropertyValues("reservation.outbox.event-types=java.lang.CharSequence").run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .contains("reservation.outbox.event-types contains java.lang.CharSequence");
        });
        runner.withPropertyValues("reservation.outbox.event-types=com.example.Unknown").run(
                context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("reservation.outbox.event-types"));
    }

    @Test
    void aTransactionalListenerThatSpringWouldSkipStopsTheStart() {
        runner.withBean(Skipped.class).run(context -> {
            var analysis = new ReservationConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("Skipped.on is a @TransactionalEventListener");
            assertThat(analysis.getAction()).contains("fallbackExecution = true");
        });
        runner.withBean(Called.class).run(context -> {
            ship(context, "1");
            await().untilAsserted(() -> assertThat(context.getBean(Called.class).calls()).isEqualTo(1));
        });
    }

    @Test
    void anOutboxWithoutADatabaseIsRefused() {
        Starter.alone().withPropertyValues("reservation.outbox.enabled=true").run(
                context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("no bean of type DataSource"));
        Starter.inMemory()
                .withClassLoader(new FilteredClassLoader(DataSourceBuilder.class))
                .withPropertyValues("reservation.outbox.enabled=true")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("reservation.outbox.enabled is true, but"));
    }

    @Test
    void theApplicationsOwnOutboxTakesItsPlace() {
        runner.withUserConfiguration(OwnOutbox.class).run(context -> {
            assertThat(context).hasSingleBean(Outbox.class).hasBean("ownOutbox");

            ship(context, "1");

            await().untilAsserted(() -> assertThat(context.getBean(Listeners.class).shipped).hasSize(1));
        });
    }

    @Test
    void aListenerThatRunsDuringTheShutdownMayUseTheDatabase() {
        runner.withUserConfiguration(Blocking.class).run(context -> {
            Blocking blocking = context.getBean(Blocking.class);
            ship(context, "1");
            blocking.started.await();

            Thread closing = Thread.ofPlatform().start(context::close);
            blocking.closing.await();
            blocking.goOn.countDown();
            closing.join();

            assertThat(blocking.results).containsExactly(1);
        });
    }

    @Test
    void aListenerThatHangsDoesNotPreventTheShutdown() {
        runner.withUserConfiguration(Blocking.class)
                .withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=200ms")
                .run(context -> {
                    Blocking blocking = context.getBean(Blocking.class);
                    ship(context, "1");
                    blocking.started.await();

                    Thread closing = Thread.ofPlatform().daemon().start(context::close);

                    try {
                        assertThat(closing.join(Duration.ofSeconds(10))).as("closed").isTrue();
                        assertThat(blocking.results).as("the listener still hangs").isEmpty();
                    } finally {
                        blocking.goOn.countDown();
                    }
                });
    }

    @Test
    void anOutboxThatFailsIsADetailOfHealth() {
        runner.withPropertyValues("reservation.backend=memory").run(context -> {
            context.getBean(ReservationManagers.class).get("orders");
            context.getBean(JdbcTemplate.class).execute("ALTER TABLE RESERVATION_OUTBOX RENAME TO GONE");

            assertThat(health(context)).contains("failure=", "RESERVATION_OUTBOX");
            assertThat(context.getBean(HealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void listenersHaveTheSameIdInAllInstances() {
        assertThat(OutboxDelivery.id(ClaimEvent.class)).isEqualTo("spring-com.github.reservation.claim.ClaimEvent");
        assertThat(OutboxDelivery.id(Shipped.class)).matches("[A-Za-z0-9_.-]{1,64}");
        assertThat(OutboxDelivery.id(AnEventWithANameThatIsLongerThanTheColumnOfTheDatabase.class))
                .matches("spring-[0-9a-f]{32}");
    }

    private static void ship(AssertableApplicationContext context, String order) {
        transaction(context).executeWithoutResult(
                status -> context.getBean(TransactionalOutbox.class).append("order-" + order, new Shipped(order)));
    }

    private static void reserve(AssertableApplicationContext context, String email) {
        context.getBean(Claims.class).reserve("email", email, Claims.RECOMMENDED_TTL);
    }

    private static TransactionTemplate transaction(AssertableApplicationContext context) {
        return context.getBean(TransactionTemplate.class);
    }

    private static String health(AssertableApplicationContext context) {
        return String.valueOf(context.getBean(HealthIndicator.class).health().getDetails().get("outbox"));
    }

    public record Shipped(String order) {}

    record AnEventWithANameThatIsLongerThanTheColumnOfTheDatabase() {}

    static class Skipped {

        @TransactionalEventListener
        public void on(ClaimReserved event) {}
    }

    static class Called {

        private final AtomicInteger calls = new AtomicInteger();

        @TransactionalEventListener(fallbackExecution = true)
        public void on(Shipped event) {
            calls.incrementAndGet();
        }

        public int calls() {
            return calls.get();
        }
    }

    /** Listeners of Spring, the first calls of which fail if a test says so. */
    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        final List<Shipped> shipped = new CopyOnWriteArrayList<>();
        final List<ClaimEvent> claims = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger();
        final AtomicInteger calls = new AtomicInteger();

        @Bean
        OutboxCustomizer shortPauses() {
            return builder -> builder.pauses(Duration.ofMillis(10), Duration.ofMillis(10));
        }

        @EventListener
        void on(Shipped event) {
            call();
            shipped.add(event);
        }

        @EventListener
        void on(ClaimEvent event) {
            call();
            claims.add(event);
        }

        private void call() {
            calls.incrementAndGet();
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {

        @Bean
        ExpirationSource orders(Transactor transactor, Outbox outbox, JdbcTemplate jdbc) {
            jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, status VARCHAR(10), ends_at TIMESTAMP)");
            jdbc.execute("INSERT INTO orders VALUES (1, 'HELD', TIMESTAMP '2020-01-01 00:00:00')");
            return TableExpirationSource.builder("orders", row -> row.getLong("id"))
                    .transactor(transactor)
                    .table("orders")
                    .key("id")
                    .status("status", "HELD", "EXPIRED")
                    .expiresAt("ends_at")
                    .publish(outbox, id -> "order-" + id, (id, expiredAt) -> new Shipped(String.valueOf(id)))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnOutbox {

        @Bean
        Outbox ownOutbox(DataSource dataSource, ReservationProperties properties) {
            StoreTable.ofOutbox(properties, dataSource).prepare();
            return Outbox.jdbc(dataSource).pollInterval(Duration.ofMillis(20)).build();
        }
    }

    /** A listener that is in the middle of its work when the context is closed, and needs the database then. */
    @Configuration(proxyBeanMethods = false)
    static class Blocking implements ApplicationListener<ContextClosedEvent> {

        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch closing = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final List<Integer> results = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Blocking(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @EventListener
        void on(Shipped event) throws InterruptedException {
            started.countDown();
            goOn.await();
            results.add(jdbc.queryForObject("SELECT 1", Integer.class));
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }
    }
}
