// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ApplicationEvents;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.Transactor;
import com.github.reservation.memory.ManualTicker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The job: what it runs, when it starts, and when it ends. */
class ExpirationTest {

    private final ApplicationContextRunner runner = Starter.withJdbc();

    @Test
    void rowsOfASourceExpireWithWorkOfSpringInTheSameTransaction() {
        runner.withUserConfiguration(Orders.class).withBean(SimpleMeterRegistry.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);

            await().untilAsserted(() -> assertThat(orders.told).hasSize(1));

            assertThat(jdbc.queryForList("SELECT status FROM orders ORDER BY id", String.class))
                    .containsExactly("EXPIRED", "HELD");
            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM log", Integer.class)).isEqualTo(1);
            await().untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class).getMeters())
                    .anyMatch(meter -> meter.getId().getName().startsWith("reservation.expiration")));
        });
    }

    @Test
    void workThatFailsIsRolledBackWithWhatSpringDidInIt() {
        runner.withUserConfiguration(Orders.class).withPropertyValues("reservation.expiration.enabled=false").run(
                context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);

                    assertThatExceptionOfType(InterruptedException.class).isThrownBy(
                            () -> context.getBean(Transactor.class).inTransaction(tx -> {
                                jdbc.update("INSERT INTO log VALUES (7)");
                                throw new InterruptedException("a checked one");
                            })).withMessage("a checked one");

                    assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM log", Integer.class)).isZero();
                });
    }

    @Test
    void theTransactionIsANewOneAtReadCommitted() {
        runner.run(context -> {
            Transactor transactor = context.getBean(Transactor.class);
            TransactionTemplate outer =
                    new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));

            outer.executeWithoutResult(status -> {
                assertThat(seenIn(transactor)).isEqualTo(
                        new Seen("reservation-expiration", Connection.TRANSACTION_READ_COMMITTED));
                assertThat(TransactionSynchronizationManager.getCurrentTransactionName()).isNull();
            });
        });
    }

    record Seen(String transaction, int isolation) {}

    private static Seen seenIn(Transactor transactor) {
        try {
            return transactor.inTransaction(tx -> new Seen(
                    TransactionSynchronizationManager.getCurrentTransactionName(), tx.getTransactionIsolation()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTransactionManagerOfAnotherDataSourceIsRefused() {
        DataSource other = new DriverManagerDataSource("jdbc:h2:mem:elsewhere");
        runner.withBean("transactionManager", DataSourceTransactionManager.class,
                () -> new DataSourceTransactionManager(other)).run(
                        context -> assertThatExceptionOfType(IllegalStateException.class)
                                .isThrownBy(() -> context.getBean(Transactor.class).inTransaction(tx -> 1))
                                .withMessageContaining("do not include the data source"));
    }

    @Test
    void claimsThatAreInUseAreSwept() {
        Starter.inMemory().withUserConfiguration(Expiring.class).run(context -> {
            Claims claims = context.getBean(Claims.class);
            claims.reserve("email", "alice@example.com", Claims.MIN_TTL);
            ExpirationJob job = context.getBean(ExpirationJob.class);

            await().untilAsserted(() -> {
                job.runOnce();
                assertThat(context.getBean(Expiring.class).told).hasSize(1);
            });
        });
    }

    @Test
    void theLagOfClaimsIsThatOfTheOldest() {
        ManualTicker ticker = new ManualTicker();
        Starter.inMemory().withBean(Claims.class, () -> Claims.inMemory(ticker).build()).run(context -> {
            ExpirationJob job = context.getBean(ExpirationJob.class);
            await("the first run, which would sweep the claim").until(() -> job.lastRun().isPresent());
            context.getBean(Claims.class).reserve("email", "alice@example.com", Duration.ofMinutes(5));
            ticker.advance(Duration.ofMinutes(7));

            assertThat(job.lag()).containsEntry("claims", Duration.ofMinutes(2));
        });
    }

    @Test
    void aBeanThatUsesClaimsIsEnoughToStartTheJob() {
        Starter.inMemory().withBean(ClaimsTest.UsesClaims.class).run(context -> await().untilAsserted(
                () -> assertThat(context.getBean(ExpirationSchedule.class).health()).isPresent()));
    }

    @Test
    void withoutAnythingToExpireThereIsNeitherAJobNorATableOfClaims() {
        runner.run(context -> {
            assertThat(context.getBean(ExpirationSchedule.class).isRunning()).isFalse();
            assertThat(context.getBeanFactory().containsSingleton("reservationExpirationJob")).isFalse();
            assertThat(context.getBeanFactory().containsSingleton("reservationClaims")).isFalse();
        });
    }

    @Test
    void aJobThatIsSwitchedOffDoesNotExist() {
        Starter.inMemory().withUserConfiguration(Blocking.class).withPropertyValues(
                "reservation.expiration.enabled=false").run(
                        context -> assertThat(context).hasNotFailed().doesNotHaveBean(ExpirationJob.class));
    }

    @Test
    void thePropertySetsTheIntervalOfAllSources() {
        Starter.inMemory().withUserConfiguration(Counting.class).withPropertyValues(
                "reservation.expiration.interval=5ms").run(
                        context -> await().untilAsserted(
                                () -> assertThat(context.getBean(Counting.class).runs).hasValueGreaterThan(2)));
    }

    @Test
    void theApplicationsOwnJobTakesItsPlace() {
        Starter.inMemory().withUserConfiguration(OwnJob.class).run(context -> assertThat(context)
                .hasSingleBean(ExpirationJob.class)
                .hasBean("ownJob")
                .doesNotHaveBean(ExpirationSchedule.class));
    }

    @Test
    void aBatchUnderWayEndsBeforeTheManagersAreClosed() {
        Starter.inMemory().withUserConfiguration(Blocking.class).run(context -> {
            Blocking blocking = context.getBean(Blocking.class);
            blocking.started.await();

            Thread closing = Thread.ofPlatform().start(context::close);
            blocking.closing.await();
            blocking.goOn.countDown();
            closing.join();

            assertThat(blocking.locked).as("the manager was open until the end").isTrue();
        });
    }

    @Test
    void aSourceThatHangsDoesNotPreventTheShutdown() {
        Starter.inMemory().withUserConfiguration(Blocking.class)
                .withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=200ms")
                .run(context -> {
                    Blocking blocking = context.getBean(Blocking.class);
                    blocking.started.await();

                    Thread closing = Thread.ofPlatform().daemon().start(context::close);

                    try {
                        assertThat(closing.join(Duration.ofMinutes(1))).as("closed").isTrue();
                    } finally {
                        blocking.goOn.countDown();
                    }
                });
    }

    @Test
    void healthShowsTheLagOfTheJob() {
        Starter.inMemory().withUserConfiguration(Counting.class).run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);

            await().untilAsserted(() -> assertThat(String.valueOf(health.health().getDetails().get("expiration")))
                    .contains("counting={", "lag=PT3S"));
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {

        record OrderExpired(long id) {}

        final List<OrderExpired> told = new CopyOnWriteArrayList<>();

        @Bean
        ExpirationSource orders(Transactor transactor, ApplicationEvents events, JdbcTemplate jdbc) {
            jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, status VARCHAR(10), ends_at TIMESTAMP)");
            jdbc.execute("CREATE TABLE log (id BIGINT)");
            jdbc.execute("INSERT INTO orders VALUES (1, 'HELD', TIMESTAMP '2020-01-01 00:00:00')");
            jdbc.execute("INSERT INTO orders VALUES (2, 'HELD', TIMESTAMP '2999-01-01 00:00:00')");
            return TableExpirationSource.builder("orders", row -> row.getLong("id"))
                    .transactor(transactor)
                    .table("orders")
                    .key("id")
                    .status("status", "HELD", "EXPIRED")
                    .expiresAt("ends_at")
                    .expireBatch(
                            (tx, batch) -> batch.rows().forEach(id -> jdbc.update("INSERT INTO log VALUES (?)", id)))
                    .publish(events, (id, expiredAt) -> new OrderExpired(id))
                    .build();
        }

        @EventListener
        void on(OrderExpired event) {
            told.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Expiring {

        final List<ClaimExpired> told = new CopyOnWriteArrayList<>();

        @EventListener
        void on(ClaimExpired event) {
            told.add(event);
        }
    }

    /** A source that says how often it ran, and that it is three seconds late. */
    @Configuration(proxyBeanMethods = false)
    static class Counting implements ExpirationSource {

        final AtomicInteger runs = new AtomicInteger();

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public void expire(ExpirationTally tally) {
            runs.incrementAndGet();
        }

        @Override
        public Duration lag() {
            return Duration.ofSeconds(3);
        }
    }

    /** A source that is in the middle of a batch when the context is closed, and needs a lock then. */
    @Configuration(proxyBeanMethods = false)
    static class Blocking implements ApplicationListener<ContextClosedEvent> {

        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch closing = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final AtomicBoolean locked = new AtomicBoolean();

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }

        @Bean
        ExpirationSource blocking(ReservationManagers managers) {
            return new ExpirationSource() {
                @Override
                public String name() {
                    return "blocking";
                }

                @Override
                public void expire(ExpirationTally tally) throws InterruptedException {
                    started.countDown();
                    goOn.await();
                    locked.set(managers.get("orders").getReservation("42").tryLock());
                }

                @Override
                public Duration lag() {
                    return Duration.ZERO;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnJob {

        @Bean
        ExpirationJob ownJob() {
            return ExpirationJob.builder().source(new Counting()).build();
        }
    }
}
