// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the starter makes of a PostgreSQL data source. */
@Needs(Backend.POSTGRESQL)
@ExtendWith(OutputCaptureExtension.class)
class PostgreSqlContextTest extends DatabaseContextTests {

    private static final String LISTENING =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = ? AND query = 'LISTEN reservation_lock'";
    private static final String CONNECTED = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = ?";

    private final JdbcTemplate server = new JdbcTemplate(PostgresServer.shared().dataSource());

    PostgreSqlContextTest() {
        super(PostgresServer.shared().newDatabase());
    }

    private int count(String sql) {
        return server.queryForObject(sql, Integer.class, name());
    }

    private String name() {
        return database.url().replaceFirst(".*/([^?]+).*", "$1");
    }

    @Test
    void notificationsAreOnAndHaveOneConnectionOfTheirOwn(CapturedOutput output) {
        runner().run(context -> {
            ReservationManagers managers = context.getBean(ReservationManagers.class);
            assertThat(count(LISTENING)).as("before the first manager is made").isZero();
            ReservationManager other = ReservationManager.jdbc(database.dataSource())
                    .domain("orders")
                    .notifications(database.dataSource())
                    .build();
            Reservation held = other.getReservation("42");
            held.lock();

            Thread waiter = Thread.ofPlatform().start(() -> {
                managers.get("orders").run("42", ignored -> {});
                managers.get("customers").run("42", ignored -> {});
            });
            await().untilAsserted(() -> assertThat(count(LISTENING)).as("one of ours, one of the other").isEqualTo(2));
            held.unlock();
            waiter.join(60_000);
            other.close();

            assertThat(waiter.isAlive()).isFalse();
            assertThat(output)
                    .contains("of the data source, through a pool of 4 connections of their own, with notifications.");
        });
        await().untilAsserted(() -> assertThat(count(CONNECTED)).as("after the context was closed").isZero());
    }

    @Test
    void healthShowsWhetherNotificationsArrive() {
        runner().run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health().getDetails()).as("before the first manager").doesNotContainKey("notifications");
            context.getBean(ReservationManagers.class).get("orders");
            await().untilAsserted(
                    () -> assertThat(health.health().getDetails()).containsEntry("notifications", "UP"));

            server.execute("ALTER DATABASE " + name() + " ALLOW_CONNECTIONS false");
            count("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = ?"
                    + " AND query = 'LISTEN reservation_lock'");
            await().untilAsserted(
                    () -> assertThat(context.getBean(JdbcBackend.class).notifies()).contains(false));

            server.execute("ALTER DATABASE " + name() + " ALLOW_CONNECTIONS true");
            await().untilAsserted(
                    () -> assertThat(health.health().getDetails()).containsEntry("notifications", "UP"));
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void notificationsCanBeSwitchedOff(CapturedOutput output) {
        runner().withPropertyValues("reservation.jdbc.notifications=false").run(context -> {
            context.getBean(ReservationManagers.class).get("orders").run("42",
                    held -> assertThat(count(LISTENING)).isZero());

            assertThat(output).contains("of the data source, through a pool of 4 connections of their own.");
        });
    }

    @Test
    void aMissingTableNamesTheDdlOfPostgreSql() {
        runner().withPropertyValues("reservation.jdbc.initialize-schema=embedded").run(
                context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(
                        "java -jar reservation-lock.jar ddl postgresql"));
        await().untilAsserted(() -> assertThat(count(CONNECTED)).as("after the start has failed").isZero());
    }

    @Test
    void aPoolOfTheirOwnWorksWithNotifications(CapturedOutput output) {
        runner().withPropertyValues("reservation.jdbc.pool-size=3").run(context -> {
            context.getBean(ReservationManagers.class).get("orders").run("42", held -> {});

            assertThat(output).contains(
                    "of the data source, through a pool of 3 connections of their own, with notifications.");
        });
        await().untilAsserted(() -> assertThat(count(CONNECTED)).as("after the context was closed").isZero());
    }
}
