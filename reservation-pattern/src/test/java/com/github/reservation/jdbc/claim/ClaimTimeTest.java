// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TimeZone;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No time zone and no difference between clocks makes a claim longer or shorter. */
class ClaimTimeTest {

    private static final Duration TTL = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Databases.class)
    void timesAreTheStoresWhateverTheZoneOfTheJvm(Databases kind) {
        TimeZone before = TimeZone.getDefault();
        try (TestDatabase database = kind.open(directory)) {
            OnClaimTable.install(database);
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
            try (Claims here = Claims.jdbc(database.pool(2)).build()) {
                assertRightTimes(here, "here", Instant.now());
            }
            TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
            try (Claims there = Claims.jdbc(database.pool(2)).build()) {
                assertRightTimes(there, "there", Instant.now());
                assertThat(there.isAvailable("email", "here")).isFalse();
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }

    /** To the server, the clock of the JVM is an hour off. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void theClockOfTheJvmDoesNotMatter(int hours) {
        try (TestDatabase plain = Databases.POSTGRESQL.openNew(directory)) {
            plain.execute("""
                    CREATE SCHEMA testclock;
                    CREATE FUNCTION testclock.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE SQL VOLATILE
                    AS 'SELECT pg_catalog.clock_timestamp() + INTERVAL ''%d hours'''
                    """.formatted(hours));
            OnClaimTable.install(plain);
            try (TestDatabase shifted = plain.with("options=-c%20search_path=testclock,public,pg_catalog");
                    Claims claims = Claims.jdbc(shifted.pool(2)).build()) {
                assertRightTimes(claims, "alice", Instant.now().plus(Duration.ofHours(hours)));
            }
        }
    }

    /** The session's clock stands still, an hour off. H2 runs in the JVM and has no other clock. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void theClockOfTheJvmDoesNotMatterOnMariaDb(int hours) {
        Instant there = Instant.now().plus(Duration.ofHours(hours));
        try (TestDatabase plain = Databases.MARIADB.openNew(directory)) {
            OnClaimTable.install(plain);
            try (TestDatabase shifted = plain.with("sessionVariables=timestamp=" + there.getEpochSecond());
                    Claims claims = Claims.jdbc(shifted.pool(2)).build()) {
                assertRightTimes(claims, "alice", there);
            }
        }
    }

    private static void assertRightTimes(Claims claims, String value, Instant now) {
        ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", value, TTL);
        assertThat(reserved.expiresAt()).isCloseTo(now.plus(TTL), within(20, ChronoUnit.SECONDS));
        Claim claim = claims.getReservation(reserved.reservationId());
        assertThat(claim.expiresAt()).isEqualTo(reserved.expiresAt());
        assertThat(claim.isReservationActive()).isTrue();
        assertThat(claim.getRemainingTTL()).isBetween(TTL.minusSeconds(20), TTL);
        assertThat(claim.createdAt()).isCloseTo(now, within(20, ChronoUnit.SECONDS));
        ConfirmResult.Success confirmed =
                (ConfirmResult.Success) claims.confirm(reserved.reservationId(), reserved.token(), "1");
        assertThat(confirmed.confirmedAt()).isCloseTo(now, within(20, ChronoUnit.SECONDS));
        assertThat(claims.getReservation(reserved.reservationId()).confirmedAt()).hasValue(confirmed.confirmedAt());
    }
}
