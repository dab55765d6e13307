// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimErrorCode;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.TransactionRetryException;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.oracle.OracleErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A driver that fails at each step, with the codes of each database. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
@SideBySide
class ClaimFaultsTest extends OnClaimTable {

    private ScriptedDriver driver;
    private Claims claims;
    private Claims otherNode;

    @BeforeEach
    void script() {
        driver = new ScriptedDriver(database.pool(4));
        claims = Claims.jdbc(driver.dataSource()).build();
        otherNode = claims();
        claims.isAvailable("email", "the first use checks the table");
    }

    private List<SQLException> contention() {
        return switch (kind) {
            case POSTGRESQL -> List.of(new SQLException("Scripted", "40001"), new SQLException("Scripted", "40P01"));
            case MARIADB, MYSQL -> List.of(
                    new SQLException("Scripted", "40001", 1213), new SQLException("Scripted", "HY000", 1205),
                    new SQLException("Scripted", "HY000", 1020));
            case H2_IN_MEMORY, H2_FILE -> List.of(
                    new SQLException("Scripted", "40001", 40001), new SQLException("Scripted", "HYT00", 50200));
            case ORACLE_MODE -> List.of(OracleErrors.ora(60), OracleErrors.ora(8177), OracleErrors.ora(30006));
        };
    }

    @Test
    void aReplyThatIsLostAtAnyStepIsFoundOut() {
        driver.failNext(Step.REPLY, kind.connectionLost());
        ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", ALICE, LONG);
        assertThat(driver.isPlayed()).isTrue();
        assertThat(reserved.version()).isOne();

        driver.failNext(Step.REPLY, kind.connectionLost());
        assertThat(claims.extend(reserved.reservationId(), reserved.token(), LONG).status()).isEqualTo("success");

        driver.failNext(Step.REPLY, kind.connectionLost());
        assertThat(claims.confirm(reserved.reservationId(), reserved.token(), "1").status()).isEqualTo("success");
        assertThat(otherNode.getReservation(reserved.reservationId()).entityId()).hasValue("1");

        // The first statement is a look.
        driver.failAfter(1, Step.REPLY, kind.connectionLost());
        assertThat(claims.releaseConfirmed(reserved.key(), "1").status()).isEqualTo("success");

        ReserveResult.Success taken = (ReserveResult.Success) claims.reserve("email", ALICE, LONG);
        driver.failNext(Step.REPLY, kind.connectionLost());
        assertThat(claims.release(taken.reservationId(), taken.token()).status()).isEqualTo("success");
        assertThat(driver.isPlayed()).isTrue();
        assertThat(otherNode.isAvailable("email", ALICE)).isTrue();
    }

    @Test
    void theReplyOfATakeOverMayBeLost() {
        otherNode.release(((ReserveResult.Success) otherNode.reserve("email", ALICE, LONG)).reservationId());
        // On PostgreSQL the insert says who is there; elsewhere it fails, without a reply, and a look follows.
        driver.failAfter(1, Step.REPLY, kind.connectionLost());

        ReserveResult.Success taken = (ReserveResult.Success) claims.reserve("email", ALICE, LONG);

        assertThat(driver.isPlayed()).isTrue();
        Claim claim = otherNode.getReservation(taken.reservationId());
        assertThat(claim.version()).as("taken over once").isEqualTo(3).isEqualTo(taken.version());
        assertThat(otherNode.confirm(taken.reservationId(), taken.token(), "1").status()).isEqualTo("success");
    }

    @Test
    void contentionIsRetried() {
        for (SQLException failure : contention()) {
            driver.failNext(Step.SEND, failure);
            ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve(
                    "email", "value " + failure.getSQLState() + failure.getErrorCode(), LONG);
            driver.failNext(Step.SEND, failure);
            assertThat(claims.confirm(reserved.reservationId(), reserved.token(), "1").status())
                    .isEqualTo("success");
        }
        assertThat(driver.isPlayed()).isTrue();
    }

    @Test
    void whatAnotherCallDidIsNotTakenForOwnAfterContention() {
        for (SQLException failure : contention()) {
            ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", ALICE, LONG);
            otherNode.release(reserved.reservationId(), reserved.token());
            driver.failNext(Step.SEND, failure);

            assertAlreadyReleased(claims.release(reserved.reservationId(), reserved.token()));
        }
        assertThat(driver.isPlayed()).isTrue();
    }

    /** Without a connection nothing was done, whatever ended the wait for it. */
    @Test
    void whatAnotherCallDidIsNotTakenForOwnAfterAnInterruptedWaitForAConnection() {
        ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", ALICE, LONG);
        otherNode.release(reserved.reservationId(), reserved.token());
        AtomicBoolean interrupted = new AtomicBoolean();
        driver.fail(Step.CONNECT, () -> {
            if (interrupted.getAndSet(true)) {
                return null;
            }
            Thread.currentThread().interrupt();
            return kind.connectionLost();
        });

        ReleaseResult second = claims.release(reserved.reservationId(), reserved.token());

        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertAlreadyReleased(second);
    }

    private static void assertAlreadyReleased(ReleaseResult result) {
        assertThat(result).isInstanceOfSatisfying(
                ReleaseResult.Failure.class,
                refused -> assertThat(refused.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_RELEASED));
    }

    @Test
    void aDriverThatDoesNotCountLetsNoClaimBeToldTwice() {
        for (int i = 0; i < 10; i++) {
            claims.reserve("email", "value " + i, LONG);
        }
        database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00'");
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger swept = new AtomicInteger();
        driver.countNoBatches();
        driver.fail(Step.SEND, () -> {
            if (sent.incrementAndGet() == 2) { // Between the search and the update.
                swept.addAndGet(otherNode.expireReservations(100));
            }
            return null;
        });

        swept.addAndGet(claims.expireReservations(100));

        assertThat(swept).hasValue(10);
    }

    @Test
    void aSweepThatFailsBeforeItIsCommittedIsRetried() {
        for (SQLException failure : contention()) {
            claims.reserve("email", "value " + failure.getSQLState() + failure.getErrorCode(), LONG);
            database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00'");
            driver.failNext(Step.SEND, failure);
            driver.failNext(Step.REPLY, kind.connectionLost());
            driver.failNext(Step.COMMIT, kind.connectionLost());

            assertThat(claims.expireReservations(100)).isOne();
            assertThat(driver.isPlayed()).isTrue();
        }
    }

    @Test
    void whatGoesWrongInATransactionIsNotBlamedOnTheConnection() {
        driver.fail(Step.SEND, () -> new IllegalStateException("Scripted"));

        assertThatThrownBy(() -> claims.expireReservations(100))
                .isInstanceOf(ReservationException.class)
                .hasMessageContaining(
                        "The transaction was rolled back because of java.lang.IllegalStateException: Scripted");
    }

    @Test
    void whatCannotBeFoundOutIsAnException() {
        otherNode.reserve("email", ALICE, LONG);
        driver.fail(Step.SEND, kind::connectionLost);
        assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG)).isInstanceOf(ReservationException.class);
        driver.heal();
        driver.fail(Step.CONNECT, kind::connectionLost);
        assertThatThrownBy(() -> claims.reserve("email", ALICE, LONG))
                .isInstanceOf(ReservationException.class)
                .hasMessageContaining("No connection to the database");
        driver.heal();

        assertThat(claims.reserve("email", ALICE, LONG)).isInstanceOf(Conflict.class);
        assertThat(driver.open()).isZero();
    }

    @Test
    void inACallersTransactionContentionSaysRetry_andNothingIsRetried() throws SQLException {
        for (SQLException failure : contention()) {
            assertToBeRetried(failure);
        }
        assertToBeRetried(new SQLTimeoutException("Scripted"));
        assertToBeRetried(new SQLTimeoutException("Scripted: " + ALICE));
        try (Connection connection = driver.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            driver.failNext(Step.SEND, kind.connectionLost());
            assertThatThrownBy(() -> claims.in(connection).reserve("email", ALICE, LONG))
                    .isInstanceOf(ReservationException.class)
                    .isNotInstanceOf(TransactionRetryException.class)
                    .hasMessageStartingWith("Roll the transaction back");
            connection.rollback();
        }
        assertThat(otherNode.isAvailable("email", ALICE)).isTrue();
    }

    private void assertToBeRetried(SQLException failure) throws SQLException {
        try (Connection connection = driver.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            driver.failNext(Step.SEND, failure);
            assertThatThrownBy(() -> claims.in(connection).reserve("email", ALICE, LONG))
                    .isInstanceOf(TransactionRetryException.class)
                    .hasMessageContaining("retry");
            assertThat(driver.isPlayed()).isTrue();
            connection.rollback();
        }
    }
}
