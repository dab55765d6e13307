// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.ReserveResult.Success;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction may see an old snapshot; no claim is decided by it. */
abstract class IsolationLevelTest extends UsersTableTest {

    /** A test of a caller's transaction, at each level that it can have. */
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @ValueSource(ints = {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE})
    private @interface AtEachLevel {}

    @AtEachLevel
    void aValueReservedAfterTheSnapshotIsAConflict(int isolation) throws SQLException {
        try (Connection connection = begin(isolation)) {
            reserved(otherNode, ALICE, LONG);

            answerOf(isolation, () -> claims.in(connection).reserve(EMAIL, ALICE, LONG))
                    .ifPresent(answer -> assertThat(answer).isInstanceOf(Conflict.class));
            connection.rollback();
        }
    }

    @AtEachLevel
    void aClaimConfirmedAfterTheSnapshotIsNotConfirmedAgain(int isolation) throws SQLException {
        Success reserved = reserved(claims, ALICE, LONG);
        try (Connection connection = begin(isolation)) {
            otherNode.confirm(reserved.reservationId(), reserved.token(), "theirs");

            answerOf(isolation, () -> claims.in(connection).confirm(reserved.reservationId(), reserved.token(), "ours"))
                    .ifPresent(answer -> assertThat(answer.status()).isEqualTo("error"));
            connection.rollback();
        }
        assertThat(claims.getReservation(reserved.reservationId()).entityId()).hasValue("theirs");
    }

    @AtEachLevel
    void aValueReleasedAfterTheSnapshotIsFree(int isolation) throws SQLException {
        Success reserved = reserved(claims, ALICE, LONG);
        try (Connection connection = begin(isolation)) {
            otherNode.release(reserved.reservationId(), reserved.token());

            answerOf(isolation, () -> claims.in(connection).reserve(EMAIL, ALICE, LONG))
                    .ifPresent(answer -> assertThat(answer).isInstanceOf(Success.class));
            connection.rollback();
        }
    }

    /** Returns the answer. Above READ COMMITTED it may be that the transaction must be retried; then there is none. */
    private static <T> Optional<T> answerOf(int isolation, Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (TransactionRetryException e) {
            assertThat(isolation).as("the level at which %s", e).isNotEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            return Optional.empty();
        }
    }

    @AtEachLevel
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
}
