// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.lock.Databases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** On PostgreSQL a conflict neither locks nor writes anything. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = "POSTGRESQL")
@SideBySide
class QuietConflictTest extends OnClaimTable {

    /** A new version of the row has another place. A lock leaves its transaction in xmax. */
    private static final String ROW = "SELECT ctid || ' ' || xmax FROM RESERVATION_CLAIMS";

    @Test
    void aConflictLeavesTheRowAsItIs() {
        Claims claims = claims();
        claims.reserve("email", ALICE, LONG);
        String before = database.query(ROW);

        for (int i = 0; i < 10; i++) {
            assertThat(claims.reserve("email", ALICE, LONG)).isInstanceOf(Conflict.class);
        }

        assertThat(database.query(ROW)).isEqualTo(before).endsWith(" 0");
    }

    /** The transaction of a caller who confirms a claim, and does not end. */
    @Test
    void aConflictWaitsForNoTransactionThatHasChangedTheRow_andLocksNothing() throws SQLException {
        Claims claims = Claims.jdbc(database.pool(2)).queryTimeout(Duration.ofSeconds(5)).build();
        claims.reserve("email", ALICE, LONG);
        try (Connection stranger = database.connect(); Statement statement = stranger.createStatement()) {
            stranger.setAutoCommit(false);
            statement.execute("UPDATE RESERVATION_CLAIMS SET status = 'confirmed', version = version + 1");

            assertThat(claims.reserve("email", ALICE, LONG)).as("meanwhile").isInstanceOf(Conflict.class);

            stranger.rollback();
            try (ResultSet row = statement.executeQuery("SELECT 1 FROM RESERVATION_CLAIMS FOR UPDATE NOWAIT")) {
                assertThat(row.next()).as("nobody else has locked it").isTrue();
            }
            stranger.rollback();
        }
    }
}
