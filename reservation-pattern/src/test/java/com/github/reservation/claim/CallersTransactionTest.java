// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.ReserveResult.Success;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An entity and its claim commit together, or not at all. */
abstract class CallersTransactionTest extends UsersTableTest {

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

    /** By default after 2 seconds. H2 has a limit of its own. */
    @Test
    void aWaitForAnotherTransactionEnds_andSaysRetry() throws Exception {
        Success theirs = reserved(claims, "their claim", LONG);
        Duration minute = Duration.ofMinutes(1); // So that no other limit ends the wait.
        try (Claims patient = Claims.jdbc(dataSource).queryTimeout(minute).build();
                Claims hasty =
                        Claims.jdbc(dataSource).queryTimeout(minute).transactionWait(Duration.ofSeconds(1)).build();
                Connection first = begin();
                Connection second = begin();
                Connection third = begin()) {
            reserved(patient.in(first), ALICE, LONG);
            claims.in(first).extend(theirs.reservationId(), theirs.token(), LONG);

            List<Duration> waits = atOnce(
                    () -> waitOf(() -> patient.in(second).reserve(EMAIL, ALICE, LONG)),
                    () -> waitOf(() -> hasty.in(third).confirm(theirs.reservationId(), theirs.token(), "1")));

            if (!first.getMetaData().getDatabaseProductName().matches("H2|Oracle")) {
                assertThat(waits.get(0)).isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(20));
                assertThat(waits.get(1)).isBetween(Duration.ofMillis(900), Duration.ofSeconds(20));
            }
            second.rollback();
            third.rollback();
            first.rollback();
            reserved(patient.in(second), ALICE, LONG);
            second.commit();
        }
        assertThat(claims.isReserved(EMAIL, ALICE)).isTrue();
        assertThat(claims.getReservation(theirs.reservationId()).version()).as("untouched").isOne();
    }

    private static Duration waitOf(ThrowingCallable call) {
        long start = System.nanoTime();
        assertThatThrownBy(call).isInstanceOf(TransactionRetryException.class).hasMessageContaining("retry");
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void anExecutorThatRefusesATaskDoesNotHarmTheTransaction() throws SQLException {
        List<ClaimEvent> events = new ArrayList<>();
        claims.onEvent(events::add);

        try (Connection connection = begin()) {
            Success reserved = reserved(claims.in(connection, task -> {
                throw new RejectedExecutionException("shut down");
            }), ALICE, LONG);
            assertThat(claims.in(connection).confirm(reserved.reservationId(), reserved.token(), "1").status())
                    .isEqualTo("success");
            connection.commit();
        }

        assertThat(claims.isAvailable(EMAIL, ALICE)).isFalse();
        assertThat(events).isEmpty();
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
