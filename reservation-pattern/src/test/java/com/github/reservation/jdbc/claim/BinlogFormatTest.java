// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.TransactionRetryException;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** With {@code binlog_format=STATEMENT} MariaDB and MySQL refuse changes at READ COMMITTED. No server of the tests has that format. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = {"MARIADB", "MYSQL"})
@SideBySide
class BinlogFormatTest extends OnClaimTable {

    private ScriptedDriver driver;
    private Claims claims;
    private ReserveResult.Success reserved;

    @BeforeEach
    void reserve() {
        driver = new ScriptedDriver(database.pool(2));
        claims = Claims.jdbc(driver.dataSource()).build();
        reserved = (ReserveResult.Success) claims.reserve("email", ALICE, LONG);
    }

    private static SQLException refusal() {
        return new SQLException("Cannot execute statement: impossible to write to binary log", "HY000", 1665);
    }

    @Test
    void aSweepSaysWhatToSet() {
        database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00'");
        driver.failAfter(1, Step.SEND, refusal()); // The first statement locks the row.

        assertSaysWhatToSet(() -> claims.expireReservations(100));

        assertThat(claims.expireReservations(100)).as("once it is set").isOne();
    }

    @Test
    void aCallersTransactionSaysWhatToSet() throws SQLException {
        try (Connection connection = driver.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            driver.failNext(Step.SEND, refusal());

            assertSaysWhatToSet(
                    () -> claims.in(connection).confirm(reserved.reservationId(), reserved.token(), "1"));

            connection.rollback();
        }
    }

    private void assertSaysWhatToSet(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ReservationException.class)
                .isNotInstanceOf(TransactionRetryException.class)
                .hasMessageContaining("Set binlog_format of the server to ROW or MIXED")
                .hasMessageNotContaining("Is table");
        assertThat(driver.isPlayed()).as("it was not retried").isTrue();
    }
}
