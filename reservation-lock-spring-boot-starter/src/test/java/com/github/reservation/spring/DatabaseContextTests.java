// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.outbox.Outbox;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the starter makes of the data source of any database server. */
abstract class DatabaseContextTests {

    final Database database;

    DatabaseContextTests(Database database) {
        this.database = database;
    }

    final ApplicationContextRunner runner() {
        return Starter.withJdbc().withPropertyValues(
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.datasource.hikari.maximum-pool-size=2",
                "reservation.jdbc.initialize-schema=always");
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
                        "reservation.outbox.poll-interval=20ms");
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
