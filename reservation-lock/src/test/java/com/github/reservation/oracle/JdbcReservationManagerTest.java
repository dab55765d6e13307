// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Nested;

/** The test that the original specification prints for a JDBC database, on the table of four columns that it prints. */
@SideBySide
@Needs(Backend.H2)
class JdbcReservationManagerTest {

    @Nested
    class OnH2 extends OnThePrintedTable {
        OnH2() {
            super("");
        }
    }

    @Nested
    class OnH2InOracleMode extends OnThePrintedTable {
        OnH2InOracleMode() {
            super(";MODE=Oracle");
        }
    }

    abstract static class OnThePrintedTable extends AbstractReservationManagerTest {

        private static final String TABLE_NAME = "RESERVATION_LOCKS";

        private final HikariDataSource dataSource;

        OnThePrintedTable(String mode) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + mode);
            config.setMaximumPoolSize(5);
            dataSource = new HikariDataSource(config);
            setupDatabase();
        }

        private void setupDatabase() {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("""
                        CREATE TABLE RESERVATION_LOCKS (
                            reservation_key  VARCHAR(512)  NOT NULL,
                            holder           VARCHAR(256)  NOT NULL,
                            acquired_at      TIMESTAMP     NOT NULL,
                            expires_at       TIMESTAMP     NOT NULL,
                            PRIMARY KEY (reservation_key)
                        )
                        """);
            } catch (SQLException e) {
                throw new AssertionError("Could not create the table", e);
            }
        }

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return ReservationManager.oracle(dataSource)
                    .domain(domain)
                    .leaseTime(leaseTime)
                    .tableName(TABLE_NAME)
                    .build();
        }

        @Override
        protected void passTime(Duration duration) {
            try {
                Thread.sleep(duration);
            } catch (InterruptedException e) {
                throw new AssertionError("A test was interrupted while it let time pass", e);
            }
        }

        @Override
        protected void cleanup() {
            dataSource.close();
        }
    }
}
