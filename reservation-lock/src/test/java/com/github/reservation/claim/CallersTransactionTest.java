// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.ReserveResult.Success;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An entity and its claim commit together, or not at all. */
abstract class CallersTransactionTest extends ClaimTest {

    private DataSource dataSource;

    @BeforeEach
    void createUsers() throws SQLException {
        dataSource = backend.dataSource().orElseThrow();
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS CLAIM_USERS");
            statement.execute("CREATE TABLE CLAIM_USERS (id VARCHAR(64))");
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private Connection begin(int isolation) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        users(connection); // From now on it sees what was committed before.
        return connection;
    }

    private static void insertUser(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO CLAIM_USERS (id) VALUES ('" + id + "')");
        }
    }

    private static int users(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM CLAIM_USERS")) {
            row.next();
            return row.getInt(1);
        }
    }

    private int users() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return users(connection);
        }
    }

    @Test
    void registrationFlow_userAndConfirmShareOneTransaction() throws SQLException {
        Success reserved = reserved(claims, ALICE, LONG);

        try (Connection connection = begin()) {
            insertUser(connection, "1");
            ConfirmResult confirmed =
                    claims.in(connection).confirm(reserved.reservationId(), reserved.token(), "1");
            assertThat(confirmed.status()).isEqualTo("success");
            assertThat(otherNode.getReservation(reserved.reservationId()).status())
                    .as("not committed by us")
                    .isEqualTo(ClaimStatus.RESERVED);
            connection.commit();
        }

        Claim claim = otherNode.getReservation(reserved.reservationId());
        assertThat(claim.status()).isEqualTo(ClaimStatus.CONFIRMED);
        assertThat(claim.entityId()).hasValue("1");
        assertThat(users()).isOne();
    }

    @Test
    void aRolledBackTransactionLeavesNothing() throws SQLException {
        Success reserved = reserved(claims, ALICE, LONG);

        try (Connection connection = begin()) {
            Claims joined = claims.in(connection);
            joined.confirm(reserved.reservationId(), reserved.token(), "1");
            joined.reserve(EMAIL, "bob@example.com", LONG);
            insertUser(connection, "1");
            connection.rollback();
        }

        assertThat(claims.getReservation(reserved.reservationId()).status()).isEqualTo(ClaimStatus.RESERVED);
        assertThat(claims.findReservation(ClaimQuery.byKey(EMAIL, "bob@example.com"))).isEmpty();
        assertThat(users()).isZero();
    }

    @Test
    void aCallerThatDiesBetweenReserveAndConfirmLeavesNothing() throws SQLException {
        try (Connection connection = begin()) {
            claims.in(connection).reserve(EMAIL, ALICE, LONG);
        }

        reserved(otherNode, ALICE, LONG);
    }

    @Test
    void aConflictLeavesTheTransactionUsable() throws SQLException {
        reserved(otherNode, ALICE, LONG);

        try (Connection connection = begin()) {
            insertUser(connection, "1");
            assertThat(claims.in(connection).reserve(EMAIL, ALICE, LONG)).isInstanceOf(Conflict.class);
            assertThat(claims.in(connection).confirm("res_" + "0".repeat(32), "1").status()).isEqualTo("error");
            insertUser(connection, "2");
            reserved(claims.in(connection), "bob@example.com", LONG);
            connection.commit();
        }

        assertThat(users()).isEqualTo(2);
        assertThat(claims.isReserved(EMAIL, "bob@example.com")).isTrue();
    }

    @Test
    void allThatClaimsDoCanBeDoneInATransaction() throws SQLException {
        Success released = reserved(otherNode, "released", LONG);
        otherNode.release(released.reservationId(), released.token());
        lapsed("lapsed");
        lapsed("swept");

        try (Connection connection = begin()) {
            Claims joined = claims.in(connection);
            Success fresh = reserved(joined, "fresh", LONG);
            assertThat(joined.reserve(EMAIL, "fresh", LONG)).as("its own").isInstanceOf(Conflict.class);
            Success taken = reserved(joined, "released", LONG);
            assertThat(taken.version()).isEqualTo(3);
            assertThat(reserved(joined, "lapsed", LONG).version()).isEqualTo(2);
            assertThat(joined.expireReservations(100)).isOne();
            ExtendResult.Success extended = (ExtendResult.Success) joined.extend(
                    fresh.reservationId(), fresh.token(), LONG.plusMinutes(1));
            assertThat(joined.getReservation(fresh.reservationId()).expiresAt()).isEqualTo(extended.expiresAt());
            assertThat(joined.confirm(fresh.reservationId(), fresh.token(), "1").status()).isEqualTo("success");
            assertThat(joined.confirm(taken.reservationId(), "2").status()).isEqualTo("success");
            assertThat(joined.findByEntityId("1")).hasSize(1);
            assertThat(joined.releaseConfirmed(fresh.key(), "1").status()).isEqualTo("success");
            assertThat(joined.isAvailable(EMAIL, "fresh")).isTrue();
            assertThat(joined.release(taken.reservationId(), taken.token()).status()).isEqualTo("error");
            joined.close();
            connection.commit();
        }

        assertThat(claims.isAvailable(EMAIL, "fresh")).isTrue();
        assertThat(claims.isAvailable(EMAIL, "released")).isFalse();
        assertThat(claims.isReserved(EMAIL, "lapsed")).isTrue();
    }

    @Test
    void aWaitForAnotherTransactionEnds_andSaysRetry() throws SQLException {
        try (Claims patient = Claims.jdbc(dataSource).transactionWait(Duration.ofSeconds(1)).build();
                Connection first = begin();
                Connection second = begin()) {
            reserved(patient.in(first), ALICE, LONG);
            long start = System.nanoTime();

            assertThatThrownBy(() -> patient.in(second).reserve(EMAIL, ALICE, LONG))
                    .isInstanceOf(TransactionRetryException.class)
                    .hasMessageContaining("retry");

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            second.rollback();
            first.rollback();
            reserved(patient.in(second), ALICE, LONG);
            second.commit();
        }
        assertThat(claims.isReserved(EMAIL, ALICE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE})
    void anOldSnapshotDecidesNothing(int isolation) throws SQLException {
        Success confirmedLater = reserved(claims, "confirmed later", LONG);
        Success releasedLater = reserved(claims, "released later", LONG);

        for (int i = 0; i < 3; i++) {
            try (Connection connection = begin(isolation)) {
                Claims joined = claims.in(connection);
                switch (i) {
                    case 0 -> {
                        reserved(otherNode, "reserved later", LONG);
                        Optional<ReserveResult> answer = unlessToRetry(
                                () -> joined.reserve(EMAIL, "reserved later", LONG));
                        answer.ifPresent(result -> assertThat(result).isInstanceOf(Conflict.class));
                    }
                    case 1 -> {
                        otherNode.confirm(confirmedLater.reservationId(), confirmedLater.token(), "theirs");
                        Optional<ConfirmResult> answer = unlessToRetry(() -> joined.confirm(
                                confirmedLater.reservationId(), confirmedLater.token(), "ours"));
                        answer.ifPresent(result -> assertThat(result.status()).isEqualTo("error"));
                    }
                    default -> {
                        otherNode.release(releasedLater.reservationId(), releasedLater.token());
                        Optional<ReserveResult> answer = unlessToRetry(
                                () -> joined.reserve(EMAIL, "released later", LONG));
                        answer.ifPresent(result -> assertThat(result).isInstanceOf(Success.class));
                    }
                }
                connection.rollback();
            }
        }
        assertThat(claims.getReservation(confirmedLater.reservationId()).entityId()).hasValue("theirs");
    }

    /** Returns the answer; empty if the transaction must be retried, which is never an answer. */
    private static <T> Optional<T> unlessToRetry(Callable<T> call) {
        try {
            return Optional.of(call.call());
        } catch (TransactionRetryException e) {
            return Optional.empty();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE})
    void transactionsThatWantTheSameValueAreRetriedUntilOneHasIt(int isolation) throws Exception {
        for (int round = 0; round < 10; round++) {
            String value = newValue();
            List<Callable<Boolean>> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String user = round + "-" + i;
                threads.add(() -> register(value, user, isolation));
            }

            assertThat(atOnce(threads)).filteredOn(registered -> registered).hasSize(1);
        }
        assertThat(users()).as("as many users as values").isEqualTo(10);
    }

    private boolean register(String value, String user, int isolation) throws SQLException {
        while (true) {
            try (Connection connection = begin(isolation)) {
                try {
                    ReserveResult result = claims.in(connection).reserve(EMAIL, value, LONG);
                    insertUser(connection, user);
                    if (result instanceof Success reserved) {
                        claims.in(connection).confirm(reserved.reservationId(), reserved.token(), user);
                        connection.commit();
                        return true;
                    }
                    connection.rollback();
                    return false;
                } catch (TransactionRetryException e) {
                    connection.rollback();
                } catch (SQLException e) {
                    connection.rollback();
                    if (!String.valueOf(e.getSQLState()).startsWith("40")) {
                        throw e;
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void inTransactionsOfTheirOwnClaimsWorkAtEveryLevel(int isolation) throws Exception {
        try (Claims strict = Claims.jdbc(atLevel(isolation)).build()) {
            for (int round = 0; round < 10; round++) {
                String value = newValue();
                List<Callable<ReserveResult>> threads = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    threads.add(() -> strict.reserve(EMAIL, value, LONG));
                }

                List<ReserveResult> results = atOnce(threads);

                assertThat(results).filteredOn(Success.class::isInstance).hasSize(1);
                assertThat(results).filteredOn(Conflict.class::isInstance).hasSize(5);
            }
        }
    }

    private DataSource atLevel(int isolation) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[]{DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(dataSource, arguments);
                        if (result instanceof Connection connection) {
                            connection.setTransactionIsolation(isolation);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void withoutATransactionNothingWouldCommitTogether() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> claims.in(connection))
                    .withMessageStartingWith("connection must not be in autocommit mode");
        }
        assertThatNullPointerException().isThrownBy(() -> claims.in(null));
    }

    @Test
    void listenersAreNotToldOfWhatMayBeRolledBack() throws SQLException {
        List<ClaimEvent> events = new ArrayList<>();
        claims.onEvent(events::add);

        try (Connection connection = begin()) {
            Success reserved = reserved(claims.in(connection), ALICE, LONG);
            claims.in(connection).release(reserved.reservationId(), reserved.token());
            connection.commit();
        }

        assertThat(events).isEmpty();
    }

    @Test
    void whoHasAHookForTheCommitLetsListenersKnowThen() throws SQLException {
        List<ClaimEvent> events = new ArrayList<>();
        List<Runnable> tasks = new ArrayList<>();
        claims.onEvent(events::add);

        try (Connection connection = begin()) {
            Success reserved = reserved(claims.in(connection, tasks::add), ALICE, LONG);
            claims.in(connection, tasks::add).confirm(reserved.reservationId(), reserved.token(), "1");
            assertThatNullPointerException().isThrownBy(() -> claims.in(connection, null));
            connection.commit();
        }

        assertThat(events).as("before the tasks are run").isEmpty();
        tasks.forEach(Runnable::run);
        assertThat(events).hasExactlyElementsOfTypes(ClaimReserved.class, ClaimConfirmed.class);
    }

    /** A generated key of the caller's own is still there after a call. */
    @Test
    void theCallersLastGeneratedKeyStays() throws SQLException {
        try (Connection connection = begin(); Statement statement = connection.createStatement()) {
            if (!connection.getMetaData().getDatabaseProductName().matches("MariaDB|MySQL")) {
                return; // Only there a session has one.
            }
            statement.execute("CREATE TEMPORARY TABLE numbered (n BIGINT AUTO_INCREMENT PRIMARY KEY, t INT)");
            statement.execute("INSERT INTO numbered (t) VALUES (7)");
            Success reserved = reserved(claims.in(connection), ALICE, LONG);
            claims.in(connection).confirm(reserved.reservationId(), reserved.token(), "1");

            try (ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
                row.next();
                assertThat(row.getLong(1)).isOne();
            }
        }
    }
}
