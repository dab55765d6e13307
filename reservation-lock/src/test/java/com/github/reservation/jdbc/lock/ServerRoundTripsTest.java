// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The servers count, too: a driver could say more to them than it is told to. */
class ServerRoundTripsTest {

    private static final int ROUNDS = 10;

    @Test
    void postgreSqlSeesTwoStatementsForALockAndItsUnlock() throws SQLException {
        TestDatabase database = Databases.POSTGRESQL.openNew(Path.of(""));
        database.install();
        database.execute("CREATE EXTENSION pg_stat_statements");

        assertRoundTrips(database, """
                SELECT COALESCE(SUM(calls), 0)
                FROM pg_stat_statements
                WHERE query NOT LIKE '%pg_stat_statements%'
                  AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                """, 0);
    }

    @Test
    void mariaDbSeesTwoStatementsForALockAndItsUnlock() throws SQLException {
        // Itself is a statement, too.
        assertRoundTrips(Databases.MARIADB.open(Path.of("")), """
                SELECT variable_value
                FROM information_schema.session_status
                WHERE variable_name = 'questions'
                """, 1);
    }

    /** Without the option, the driver asks before each update whether the session is read-only. */
    @Test
    void mySqlSeesTwoStatementsForALockAndItsUnlock() throws SQLException {
        TestDatabase database = Databases.MYSQL.open(Path.of(""));
        assertRoundTrips(database.with("useLocalSessionState=true").closing(database), """
                SELECT variable_value
                FROM performance_schema.session_status
                WHERE variable_name = 'Questions'
                """, 1);
    }

    private static void assertRoundTrips(TestDatabase database, String counter, int ofTheCounter) throws SQLException {
        try (database; Connection connection = database.connect()) {
            ReservationManager manager = database.manager(alwaysThe(connection), Duration.ofMinutes(1));
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            reservation.unlock();
            long before = Long.parseLong(TestDatabase.query(connection, counter));

            for (int i = 0; i < ROUNDS; i++) {
                reservation.lock();
                reservation.unlock();
            }

            long after = Long.parseLong(TestDatabase.query(connection, counter));
            assertThat(after - before - ofTheCounter).isEqualTo(2 * ROUNDS);
        }
    }

    /** A pool of one connection that does nothing of its own. */
    private static DataSource alwaysThe(Connection connection) {
        Connection kept = proxy(Connection.class, (proxy, method, arguments) -> {
            try {
                return method.getName().equals("close") ? null : method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return proxy(DataSource.class, (proxy, method, arguments) -> kept);
    }

    private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
