// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.OutboxApplication.ship;
import static com.github.reservation.spring.OutboxApplication.transaction;
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
import com.github.reservation.spring.OutboxApplication.Listeners;
import com.github.reservation.spring.OutboxApplication.Shipped;
import com.github.reservation.spring.OutboxEndpoint.Parked;
import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** The bean {@link Outbox}: who appends, who listens, and what an operator sees. */
class OutboxTest {

    private final ApplicationContextRunner runner = OutboxApplication.runner();

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
                .as("half of a SHA-256").isEqualTo("spring-b904d59fe0873c47ff2f0fd7bc2e3433");
    }

    private static void reserve(AssertableApplicationContext context, String email) {
        context.getBean(Claims.class).reserve("email", email, Claims.RECOMMENDED_TTL);
    }

    private static String health(AssertableApplicationContext context) {
        return String.valueOf(context.getBean(HealthIndicator.class).health().getDetails().get("outbox"));
    }

    record AnEventWithANameThatIsLongerThanTheColumnOfTheDatabase() {}

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
}
