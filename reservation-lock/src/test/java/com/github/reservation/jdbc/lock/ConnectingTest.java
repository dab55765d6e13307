// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.contract.SideBySide;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that will never let us in is not one that is down for a while. */
@SideBySide
class ConnectingTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(value = Databases.class, names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void aDatabaseThatDoesNotExistIsAnError(Databases kind) {
        try (TestDatabase there = kind.open(directory);
                TestDatabase missing = new TestDatabase(kind, there.url() + "_missing", "root", "")) {
            assertError(missing);
        }
    }

    @Test
    void anH2ThatIsNotToBeCreatedIsAnError() {
        try (TestDatabase missing =
                new TestDatabase(Databases.H2_IN_MEMORY, "jdbc:h2:mem:missing;IFEXISTS=TRUE", "sa", "")) {
            assertError(missing);
        }
    }

    /** H2 would do the same, but makes whoever has a wrong password wait for seconds. */
    @ParameterizedTest
    @EnumSource(value = Databases.class, names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void aUserThatDoesNotExistIsAnError(Databases kind) {
        try (TestDatabase database = kind.open(directory); TestDatabase stranger = database.as("stranger")) {
            assertError(stranger);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Databases.class, names = {"MARIADB", "MYSQL"})
    void aUserWithoutAccessToTheDatabaseIsAnError(Databases kind) {
        try (TestDatabase database = kind.open(directory)) {
            String user = "locked_out_" + UUID.randomUUID().toString().substring(0, 8);
            database.execute("CREATE USER " + user + " IDENTIFIED BY 'secret'");
            try (TestDatabase lockedOut = database.as(user)) {
                assertError(lockedOut);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Databases.class, names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void aServerThatDoesNotAnswerIsDownForAWhile(Databases kind) {
        try (TestDatabase down = new TestDatabase(kind, "jdbc:" + kind.ddl() + "://127.0.0.1:1/none", "root", "")) {
            Reservation reservation = down.manager(dataSource(down::connect), LEASE).getReservation("42");

            assertThat(reservation.tryLock()).isFalse();
            assertThatThrownBy(reservation::lock).isInstanceOf(ReservationAcquisitionException.class);
        }
    }

    /** A pool wraps what the driver said. */
    private static void assertError(TestDatabase database) {
        assertError(database, dataSource(database::connect));
        assertError(database, dataSource(() -> {
            try {
                return database.connect();
            } catch (SQLException e) {
                SQLException wrapper = new SQLTransientConnectionException("not available", e.getSQLState(), e);
                wrapper.setNextException(e);
                throw wrapper;
            }
        }));
    }

    private static void assertError(TestDatabase database, DataSource dataSource) {
        Reservation reservation = database.manager(dataSource, LEASE).getReservation("42");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(reservation::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("No connection to the database");
        }
    }

    /** Not a pool: those try for a second before they say that they failed. */
    private static DataSource dataSource(Callable<Connection> connect) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> connect.call());
    }
}
