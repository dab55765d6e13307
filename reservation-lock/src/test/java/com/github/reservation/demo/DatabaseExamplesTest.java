// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.oracle.LockingException;
import com.github.reservation.oracle.TableBasedLockingStrategy;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * The set-up examples of the pages on databases. Nothing is asked of a database before the first lock, so that those for a
 * server run without one.
 */
class DatabaseExamplesTest {

    private static final String PASSWORD = "secret";

    @Test
    void postgresql() {
        String password = PASSWORD;
        // @start region="postgresql"
        HikariDataSource locks = new HikariDataSource();
        locks.setJdbcUrl(
                "jdbc:postgresql://db.example.com/app?connectTimeout=3&socketTimeout=10&cancelSignalTimeout=2");
        locks.setUsername("app_user");
        locks.setPassword(password);
        locks.setMaximumPoolSize(4);
        locks.setConnectionTimeout(3_000);
        locks.setValidationTimeout(1_000);
        ReservationManager orders = ReservationManager.jdbc(locks).domain("orders").build();
        // @end

        close(orders, locks);
    }

    @Test
    void postgresqlWithNotifications() {
        HikariDataSource locks = new HikariDataSource();
        HikariDataSource listening = new HikariDataSource();
        listening.setJdbcUrl("jdbc:h2:mem:not-postgresql");
        // @start region="notifications"
        ReservationManager orders =
                ReservationManager.jdbc(locks).domain("orders").notifications(listening).build();
        // @end

        close(orders, locks);
        listening.close();
    }

    @Test
    void mariadb() {
        String password = PASSWORD;
        // @start region="mariadb"
        HikariDataSource locks = new HikariDataSource();
        locks.setJdbcUrl(
                "jdbc:mariadb://db.example.com/app?useServerPrepStmts=true&connectTimeout=3000&socketTimeout=10000");
        locks.setUsername("app_user");
        locks.setPassword(password);
        locks.setMaximumPoolSize(4);
        locks.setConnectionTimeout(3_000);
        locks.setValidationTimeout(1_000);
        ReservationManager orders = ReservationManager.jdbc(locks).domain("orders").build();
        // @end

        close(orders, locks);
    }

    @Test
    void mysql() {
        String password = PASSWORD;
        // @start region="mysql"
        HikariDataSource locks = new HikariDataSource();
        locks.setJdbcUrl("jdbc:mysql://db.example.com/app"
                + "?useLocalSessionState=true&connectTimeout=3000&socketTimeout=10000");
        locks.setUsername("app_user");
        locks.setPassword(password);
        locks.setMaximumPoolSize(4);
        locks.setConnectionTimeout(3_000);
        locks.setValidationTimeout(1_000);
        ReservationManager orders = ReservationManager.jdbc(locks).domain("orders").build();
        // @end

        close(orders, locks);
    }

    @Test
    void oracle() {
        String password = PASSWORD;
        // @start region="oracle"
        HikariDataSource locks = new HikariDataSource();
        locks.setJdbcUrl("jdbc:oracle:thin:@//db.example.com:1521/ORCL");
        locks.setUsername("app_user");
        locks.setPassword(password);
        locks.setMaximumPoolSize(4);
        locks.setConnectionTimeout(3_000);
        locks.setValidationTimeout(1_000);
        locks.addDataSourceProperty("oracle.jdbc.implicitStatementCacheSize", "20");
        locks.addDataSourceProperty("oracle.jdbc.ReadTimeout", "10000");
        locks.addDataSourceProperty("oracle.net.CONNECT_TIMEOUT", "3000");
        ReservationManager orders = ReservationManager.oracle(locks).domain("orders").build();
        // @end

        close(orders, locks);
    }

    @Test
    void h2() throws SQLException {
        // @start region="h2"
        HikariDataSource locks = new HikariDataSource();
        locks.setJdbcUrl("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1");
        locks.setMaximumPoolSize(4);
        locks.setConnectionTimeout(3_000);
        locks.setValidationTimeout(1_000);
        try (Connection connection = locks.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2")); // an in-memory database needs a new table each time
        }
        ReservationManager orders = ReservationManager.jdbc(locks).domain("orders").build();
        // @end
        Reservation order = orders.getReservation("42");

        assertThat(order.tryLock()).isTrue();
        order.unlock();

        close(orders, locks);
    }

    @Test
    void aStrategyOfYourOwn() throws SQLException {
        List<String> log = new ArrayList<>();
        HikariDataSource locks = new HikariDataSource();
        locks.setJdbcUrl("jdbc:h2:mem:strategy-example;DB_CLOSE_DELAY=-1");
        try (Connection connection = locks.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2"));
        }
        // @start region="strategy"
        class AuditedStrategy extends TableBasedLockingStrategy {

            AuditedStrategy(DataSource dataSource) {
                super(dataSource, "RESERVATION_LOCKS");
            }

            @Override
            public void forceRelease(String reservationKey) throws LockingException {
                log.add("Forced: " + reservationKey);
                super.forceRelease(reservationKey);
            }
        }
        ReservationManager orders = ReservationManager.oracle(locks)
                .domain("orders")
                .lockingStrategy(new AuditedStrategy(locks))
                .build();
        // @end
        Reservation order = orders.getReservation("42");

        assertThat(order.tryLock()).isTrue();
        order.forceUnlock();

        assertThat(log).containsExactly("Forced: orders::42");
        close(orders, locks);
    }

    private static void close(ReservationManager orders, HikariDataSource locks) {
        assertThat(orders.getDomain()).isEqualTo("orders");
        orders.close();
        locks.close();
    }
}
