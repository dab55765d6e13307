// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.RecordingDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How many statements a call sends, on how many connections. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class ClaimRoundTripsTest extends OnClaimTable {

    private RecordingDataSource recorded;
    private Claims claims;

    @BeforeEach
    void record() {
        recorded = new RecordingDataSource(database.pool(4));
        claims = Claims.jdbc(recorded.dataSource()).build();
        claims.isAvailable("email", "the first use checks the table");
        recorded.clear();
    }

    private ReserveResult.Success reserve(String value) {
        ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", value, LONG);
        recorded.clear();
        return reserved;
    }

    private void assertStatements(int count) {
        assertThat(recorded.executions()).hasSize(count);
        assertThat(recorded.taken()).isOne();
        assertThat(recorded.open()).isZero();
        recorded.clear();
    }

    @Test
    void aNewValueIsOneStatement() {
        claims.reserve("email", ALICE, LONG);

        assertStatements(1);
    }

    @Test
    void aConflictIsOneStatementOnPostgreSqlAndTwoElsewhere() {
        reserve(ALICE);

        claims.reserve("email", ALICE, LONG);

        assertStatements(kind == Databases.POSTGRESQL ? 1 : 2);
    }

    @Test
    void aTakeOverIsTwoStatementsOnPostgreSqlAndThreeElsewhere() {
        ReserveResult.Success first = reserve(ALICE);
        claims.release(first.reservationId(), first.token());
        recorded.clear();

        claims.reserve("email", ALICE, LONG);

        assertStatements(kind == Databases.POSTGRESQL ? 2 : 3);
    }

    @Test
    void aChangeIsOneStatementAndARefusalTwo() {
        ReserveResult.Success one = reserve("one");
        claims.extend(one.reservationId(), one.token(), LONG);
        assertStatements(1);
        claims.confirm(one.reservationId(), one.token(), "1");
        assertStatements(1);
        claims.confirm(one.reservationId(), one.token(), "1");
        assertStatements(2);
        ReserveResult.Success other = reserve("other");
        claims.release(other.reservationId(), other.token());
        assertStatements(1);
        claims.isAvailable("email", "other");
        assertStatements(1);
    }

    @Test
    void aSweepIsOneStatementOnPostgreSqlAndTwoElsewhere() {
        reserve("one");
        reserve("other");
        database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00'");

        assertThat(claims.expireReservations(100)).isEqualTo(2);

        assertStatements(kind == Databases.POSTGRESQL ? 1 : 2);
    }
}
