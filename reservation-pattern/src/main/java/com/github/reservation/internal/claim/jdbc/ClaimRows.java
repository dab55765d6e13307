// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.internal.sql.SqlValues;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads rows of claims. Times are microseconds since 1970 in UTC, so that no time zone plays a part. */
final class ClaimRows {

    private ClaimRows() {}

    /**
     * Who has a value.
     *
     * @param status as it is stored: a claim that is over may still be marked as reserved
     * @param remaining how long the claim still runs; zero if it is over
     */
    record Owner(
            ClaimStatus status,
            Instant expiresAt,
            Duration remaining,
            Optional<String> correlationId,
            String token,
            long version) {

        static Owner of(ResultSet row) throws SQLException {
            return new Owner(
                    ClaimRows.status(row),
                    instant(row.getLong("expires")),
                    SqlValues.duration(row, "remaining"),
                    Optional.ofNullable(row.getString("correlation_id")),
                    row.getString("token"),
                    row.getLong("version"));
        }

        boolean isOver() {
            return status == ClaimStatus.RESERVED && remaining.isZero();
        }

        boolean isFree() {
            return status == ClaimStatus.RELEASED || status == ClaimStatus.EXPIRED || isOver();
        }
    }

    /** A claim that a sweep has found over, and the version of its row. */
    record Swept(ClaimExpired end, long version) {

        static Swept of(ResultSet row) throws SQLException {
            return new Swept(
                    new ClaimExpired(
                            row.getString("reservation_id"),
                            row.getString("claim_type"),
                            row.getString("claim_key"),
                            Optional.ofNullable(row.getString("correlation_id")),
                            instant(row.getLong("expires"))),
                    row.getLong("version"));
        }
    }

    static ClaimStatus status(ResultSet row) throws SQLException {
        return ClaimStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT));
    }

    static StoredClaim stored(ResultSet row) throws SQLException {
        Owner owner = Owner.of(row);
        boolean active = owner.status == ClaimStatus.RESERVED && !owner.isOver();
        Claim claim = new Claim(
                row.getString("reservation_id"),
                row.getString("claim_key"),
                row.getString("claim_type"),
                row.getString("claim_value"),
                owner.isOver() ? ClaimStatus.EXPIRED : owner.status,
                owner.expiresAt,
                active ? owner.remaining : Duration.ZERO,
                Optional.ofNullable(row.getString("entity_id")),
                instant(SqlValues.number(row, "confirmed")),
                instant(SqlValues.number(row, "released")),
                owner.correlationId,
                owner.version,
                instant(row.getLong("created")),
                instant(row.getLong("updated")));
        return new StoredClaim(claim, owner.token);
    }

    static Claim claim(ResultSet row) throws SQLException {
        return stored(row).claim();
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static Optional<Instant> instant(OptionalLong micros) {
        return micros.isPresent() ? Optional.of(instant(micros.getAsLong())) : Optional.empty();
    }
}
