// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ClaimQuery;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.claim.ClaimMeters;
import com.github.reservation.internal.claim.StoreClaims;
import com.github.reservation.internal.claim.jdbc.JdbcClaims;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.StoreException;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of claims that ended long ago are deleted; those of confirmed ones never are. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class ClaimPurgeTest extends OnClaimTable {

    private static final Duration MONTH = Duration.ofDays(30);

    @Test
    void onlyWhatEndedLongAgoIsDeleted() throws StoreException {
        JdbcClaims store = store(Optional.of(MONTH));
        try (Claims claims = claims()) {
            ReserveResult.Success confirmed = reserve(claims, "confirmed");
            claims.confirm(confirmed.reservationId(), confirmed.token(), "1");
            claims.release(reserve(claims, "released").reservationId());
            reserve(claims, "over");
            age();
            claims.release(reserve(claims, "just released").reservationId());
            reserve(claims, "active");

            assertThat(store.purge()).as("whether there may be more").isTrue();
            assertThat(store.purge()).as("whether there may be more").isFalse();

            assertThat(exists(claims, "released")).isFalse();
            assertThat(exists(claims, "over")).isFalse();
            assertThat(exists(claims, "confirmed")).isTrue();
            assertThat(exists(claims, "just released")).isTrue();
            assertThat(exists(claims, "active")).isTrue();
            reserve(claims, "released");
        }
    }

    @Test
    void aPurgeHasALimitAndCanBeSwitchedOff() throws StoreException {
        try (Claims claims = claims()) {
            for (int i = 0; i < 5; i++) {
                claims.release(reserve(claims, "value " + i).reservationId());
            }
            age();

            assertThat(store(Optional.empty()).purge()).isFalse();
            assertThat(store(Optional.of(MONTH)).purge(MONTH, 3)).isEqualTo(3);
            assertThat(store(Optional.of(MONTH)).purge(MONTH, 3)).isEqualTo(2);
        }
    }

    @Test
    void aClaimThatATransactionMakesAnewIsKept_andTheOthersArePurged() throws Exception {
        JdbcClaims store = store(Optional.of(MONTH));
        HikariDataSource pool = database.pool(2);
        try (Claims claims = Claims.jdbc(pool).build(); Connection stranger = pool.getConnection()) {
            claims.release(reserve(claims, "again").reservationId());
            claims.release(reserve(claims, "dead").reservationId());
            age();
            stranger.setAutoCommit(false);
            reserve(claims.in(stranger), "again");

            assertThat(store.purge(MONTH, 100)).isOne();

            stranger.commit();
            assertThat(store.purge(MONTH, 100)).isZero();
            assertThat(exists(claims, "again")).isTrue();
            assertThat(exists(claims, "dead")).isFalse();
        }
    }

    @Test
    void openClaimsPurgeTheirTableOnceAnHour() {
        ManualTicker ticker = new ManualTicker();
        try (Claims claims = StoreClaims.open(
                store(Optional.of(MONTH)), ticker, Map.of(), ClaimMeters.NONE)) {
            claims.release(reserve(claims, "dead").reservationId());
            age();

            ticker.advance(Duration.ofHours(1));

            await().until(() -> !exists(claims, "dead"));
        }
    }

    private JdbcClaims store(Optional<Duration> purgeAfter) {
        return new JdbcClaims(
                new SqlTable(database.pool(2), Optional.empty(), JdbcClaims.DEFAULT_TABLE, Duration.ofSeconds(5),
                        JdbcClaims.DDL),
                Duration.ofSeconds(2),
                purgeAfter, null);
    }

    private void age() {
        database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00',"
                + " updated_at = TIMESTAMP '2020-01-01 00:00:00'");
    }

    private static ReserveResult.Success reserve(Claims claims, String value) {
        return (ReserveResult.Success) claims.reserve("email", value, LONG);
    }

    private static boolean exists(Claims claims, String value) {
        return claims.findReservation(ClaimQuery.byKey("email", value)).isPresent();
    }
}
