// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MySqlServer;
import com.github.reservation.outbox.Outbox;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the starter makes of a MySQL data source. */
@Needs(Backend.MYSQL)
class MySqlContextTest {

    private Database database;

    @BeforeEach
    void createDatabase() {
        database = MySqlServer.shared().newDatabase();
    }

    private ApplicationContextRunner runner() {
        return Starter.withJdbc().withPropertyValues(
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.datasource.hikari.maximum-pool-size=2",
                "reservation.jdbc.initialize-schema=always");
    }

    @Test
    void locksHaveFencingTokens() {
        runner().run(context -> {
            AtomicLong fence = new AtomicLong();
            for (int round = 0; round < 2; round++) {
                context.getBean(ReservationManagers.class).get("orders").run("42", held -> assertThat(
                        fence.getAndSet(held.fencingToken().orElseThrow())).isLessThan(fence.get()));
            }
            assertThat(fence).hasPositiveValue();
        });
    }

    @Test
    void aMissingTableNamesTheDdlOfMySql() {
        runner().withPropertyValues("reservation.jdbc.initialize-schema=embedded").run(
                context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(
                        "java -jar reservation-lock.jar ddl mysql prints"));
    }

    @Test
    void claimsJoinATransactionAndNeedNoSecondConnection() {
        runner().withPropertyValues(
                "spring.datasource.hikari.maximum-pool-size=1", "spring.datasource.hikari.connection-timeout=1000").run(
                        context -> {
                            Claims claims = context.getBean(Claims.class);
                            TransactionTemplate transaction =
                                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

                            transaction.executeWithoutResult(status -> {
                                assertThat(reserveAlice(claims)).isInstanceOf(ReserveResult.Success.class);
                                status.setRollbackOnly();
                            });
                            assertThat(claims.isAvailable("email", "alice@example.com")).isTrue();

                            transaction.executeWithoutResult(status -> reserveAlice(claims));
                            assertThat(claims.isReserved("email", "alice@example.com")).isTrue();
                        });
    }

    private static ReserveResult reserveAlice(Claims claims) {
        return claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL);
    }

    @Test
    void twoInstancesShareTheEventsOfTheOutbox() {
        ApplicationContextRunner instance =
                runner().withUserConfiguration(OutboxApplication.Listeners.class).withPropertyValues(
                        "reservation.outbox.enabled=true",
                        "reservation.outbox.poll-interval=20ms",
                        "reservation.outbox.event-types=" + OutboxApplication.Shipped.class.getName());
        List<OutboxApplication.Shipped> events =
                IntStream.range(0, 20).mapToObj(i -> new OutboxApplication.Shipped("order-" + i)).toList();

        instance.run(one -> instance.run(two -> {
            one.getBean(TransactionTemplate.class).executeWithoutResult(status -> events.forEach(
                    event -> one.getBean(TransactionalOutbox.class).append(event.order(), event)));

            await().untilAsserted(() -> assertThat(Stream.of(one, two)
                    .flatMap(context -> context.getBean(OutboxApplication.Listeners.class).shipped.stream()))
                    .containsExactlyInAnyOrderElementsOf(events));
            await().untilAsserted(() -> assertThat(two.getBean(Outbox.class).backlog().pending()).isZero());
        }));
    }
}
