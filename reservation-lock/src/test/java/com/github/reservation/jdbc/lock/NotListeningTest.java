// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.Database;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager that cannot listen for notifications says so once, and polls. */
@Needs(Backend.POSTGRESQL)
class NotListeningTest {

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = Databases.POSTGRESQL.openNew(directory);
        database.install();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aManagerThatCannotListenWarnsOnceAndPolls() throws Exception {
        try (TestDatabase h2 = Databases.H2_IN_MEMORY.open(directory);
                LoggedWarnings warnings = new LoggedWarnings();
                Actor actor = new Actor("other")) {
            HikariDataSource pool = h2.pool(4);
            Reservation one = polling(h2, pool).getReservation("42");
            Reservation other = polling(h2, pool).getReservation("42");
            one.lock();
            Future<?> granted = actor.startsAndWaits(() -> {
                other.lock();
                other.unlock();
            });
            await().until(() -> !warnings.texts().isEmpty());
            one.unlock();
            Actor.result(granted);

            // It goes on trying, every 100 ms at first.
            await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(warnings.texts()).hasSize(1));
            assertThat(warnings.texts()).first().asString().contains("Cannot listen for notifications of PostgreSQL");
        }
    }

    @Test
    void aServerThatTakesLongToRefuseCausesOneWarningToo() {
        AtomicInteger failures = new AtomicInteger();
        DataSource down = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[]{DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        if (failures.get() == 0) {
                            Thread.sleep(5_100); // As a pool would that waits for a connection.
                        }
                        failures.incrementAndGet();
                        throw new SQLException("The server is down", "08001");
                    }
                    return method.getName().equals("hashCode") ? System.identityHashCode(proxy) : proxy == arguments[0];
                });
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            database.opened(ReservationManager.jdbc(database.pool(2)).domain("orders").notifications(down).build())
                    .listReservations();

            await().atMost(Duration.ofSeconds(20)).until(() -> failures.get() >= 2);
            await().during(Duration.ofMillis(200)).until(() -> true);
            assertThat(warnings.texts()).filteredOn(text -> text.contains("listen")).hasSize(1);
        }
    }

    @Test
    void aDatabaseWithoutNotificationsIsRefused() {
        JdbcReservationManagerBuilder builder = ReservationManager.jdbc(database.pool(1))
                .domain("orders")
                .database(Database.H2)
                .notifications(database.pool(1));

        assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining("H2");
    }

    private static ReservationManager polling(TestDatabase h2, DataSource pool) {
        return h2.opened(ReservationManager.jdbc(pool)
                .domain("orders")
                .notifications(pool)
                .build());
    }
}
