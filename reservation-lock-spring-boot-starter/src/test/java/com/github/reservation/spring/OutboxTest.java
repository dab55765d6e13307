// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.OutboxApplication.ship;
import static com.github.reservation.spring.OutboxApplication.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.JdbcClaimsBuilder;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.Transactor;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.spring.OutboxApplication.Listeners;
import com.github.reservation.spring.OutboxApplication.Shipped;
import com.github.reservation.spring.OutboxEndpoint.Events;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
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
            Events parked = endpoint.events(null, null, null, null, null, 1);
            assertThat(parked.parked()).isEqualTo(2);
            assertThat(parked.events()).singleElement().satisfies(event -> {
                assertThat(event.type()).contains("Shipped");
                assertThat(event.listeners()).containsExactly("spring");
                assertThat(event.failures()).singleElement()
                        .satisfies(failure -> assertThat(failure.error()).contains("not yet"));
            });
            long first = parked.events().getFirst().id();
            long second = endpoint.events(null, null, null, null, first, null).events().getFirst().id();

            assertThat(endpoint.retry(first).changed()).isOne();
            assertThat(endpoint.discard(second).changed()).isOne();
            assertThat(endpoint.discard(second).changed()).isZero();

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
    void claimsAppendThoseEventsAloneThatAMethodNames() {
        List<String> others = new CopyOnWriteArrayList<>();
        OutboxApplication.withoutListeners().withBean(OfReleases.class).run(context -> {
            Outbox outbox = context.getBean(Outbox.class);
            outbox.subscribe("other", ClaimEvent.class, event -> others.add(event.getClass().getSimpleName()));

            release(context, reserve(context, "alice@example.com"));

            await().untilAsserted(() -> assertThat(context.getBean(OfReleases.class).released).hasSize(1));
            await().untilAsserted(() -> assertThat(others).containsExactly("ClaimReleased"));
        });
    }

    @Test
    void aCustomizerLetsClaimsAppendAllTheirEvents() {
        List<String> others = new CopyOnWriteArrayList<>();
        OutboxApplication.withoutListeners().withUserConfiguration(AllEvents.class).run(context -> {
            Outbox outbox = context.getBean(Outbox.class);
            outbox.subscribe("other", ClaimEvent.class, event -> others.add(event.getClass().getSimpleName()));

            release(context, reserve(context, "alice@example.com"));

            await().untilAsserted(() -> assertThat(others).containsExactly("ClaimReserved", "ClaimReleased"));
        });
    }

    private static void release(AssertableApplicationContext context, ReserveResult reserved) {
        ReserveResult.Success success = (ReserveResult.Success) reserved;
        context.getBean(Claims.class).release(success.reservationId(), success.token());
    }

    private static ReserveResult reserve(AssertableApplicationContext context, String email) {
        return context.getBean(Claims.class).reserve("email", email, Claims.RECOMMENDED_TTL);
    }

    private static String health(AssertableApplicationContext context) {
        return String.valueOf(context.getBean(HealthIndicator.class).health().getDetails().get("outbox"));
    }

    static class OfReleases {

        final List<ClaimReleased> released = new CopyOnWriteArrayList<>();

        @EventListener
        public void on(ClaimReleased event) {
            released.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AllEvents {

        @Bean
        ClaimsCustomizer<JdbcClaimsBuilder> allEvents(Outbox outbox) {
            return builder -> builder.outbox(outbox);
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
}
