// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.xa.PGXADataSource;

/** A data source whose connections belong to a transaction of JTA, and will not be switched to autocommit. */
class GlobalTransactionTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    /** How a connection refuses. */
    enum Refusal implements InvocationHandler {
        WITHOUT_A_STATE {
            @Override
            public Object invoke(Object proxy, Method method, Object[] arguments) throws SQLException {
                throw new SQLException("Not in a global transaction");
            }
        },
        WITH_A_RUNTIME_EXCEPTION {
            @Override
            public Object invoke(Object proxy, Method method, Object[] arguments) {
                throw new IllegalStateException("Not in a global transaction");
            }
        },
        WITHOUT_A_WORD {
            @Override
            public Object invoke(Object proxy, Method method, Object[] arguments) {
                return null;
            }
        }
    }

    @Test
    void anXaConnectionOfPostgreSqlIsAWrongSetUpWhileItsTransactionIsActive() throws Exception {
        try (TestDatabase database = Databases.POSTGRESQL.open(directory)) {
            PGXADataSource xa = new PGXADataSource();
            xa.setURL(database.url());
            xa.setUser("postgres");
            XAConnection xaConnection = xa.getXAConnection();
            Connection connection = xaConnection.getConnection();
            DataSource enlisted = dataSource(() -> with(connection, (proxy, method,
                    arguments) -> method.getName().equals("close") ? null : invoked(connection, method, arguments)));
            Reservation reservation = database.manager(enlisted, LEASE).getReservation("42");
            XAResource transaction = xaConnection.getXAResource();
            Xid xid = new Branch();
            reservation.lock(); // The database is known from now on.
            reservation.unlock();

            transaction.start(xid, XAResource.TMNOFLAGS);
            assertWrongSetUp(reservation);
            transaction.end(xid, XAResource.TMSUCCESS);
            transaction.rollback(xid);

            assertThat(reservation.tryLock()).as("the transaction is over").isTrue();
            reservation.unlock();
            xaConnection.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatRefusesAutocommitIsAWrongSetUp(Refusal refusal) {
        try (TestDatabase database = Databases.H2_IN_MEMORY.open(directory)) {
            DataSource refusing = dataSource(() -> {
                Connection connection = database.connect();
                connection.setAutoCommit(false);
                return with(connection, (proxy, method, arguments) -> method.getName().equals("setAutoCommit")
                        ? refusal.invoke(proxy, method, arguments)
                        : invoked(connection, method, arguments));
            });

            assertWrongSetUp(database.manager(refusing, LEASE).getReservation("42"));
        }
    }

    private static void assertWrongSetUp(Reservation reservation) {
        assertThatThrownBy(reservation::tryLock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("Pass a DataSource that takes no part in transactions")
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED));
        assertThatThrownBy(() -> reservation.tryLock(1, TimeUnit.MINUTES))
                .isInstanceOf(ReservationAcquisitionException.class);
    }

    @Test
    void aConnectionThatIsBrokenIsReplaced() {
        try (TestDatabase database = Databases.H2_IN_MEMORY.open(directory)) {
            AtomicInteger taken = new AtomicInteger();
            DataSource firstIsBroken = dataSource(() -> {
                Connection connection = database.connect();
                connection.setAutoCommit(false);
                return taken.incrementAndGet() > 1
                        ? connection
                        : with(connection, (proxy, method, arguments) -> switch (method.getName()) {
                            case "setAutoCommit" -> throw new SQLException("Connection reset", "08006");
                            case "isValid" -> false;
                            default -> invoked(connection, method, arguments);
                        });
            });

            Reservation reservation = database.manager(firstIsBroken, LEASE).getReservation("42");

            assertThat(reservation.tryLock()).isTrue();
            reservation.unlock();
        }
    }

    /** Gets a connection. */
    @FunctionalInterface
    private interface Connecting {
        Connection connect() throws SQLException;
    }

    private static DataSource dataSource(Connecting connecting) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> connecting.connect());
    }

    private static Connection with(Connection connection, InvocationHandler handler) {
        return (Connection) Proxy.newProxyInstance(
                connection.getClass().getClassLoader(), new Class<?>[]{Connection.class}, handler);
    }

    private static Object invoked(Connection connection, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private record Branch() implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[]{4, 2};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[]{1};
        }
    }
}
