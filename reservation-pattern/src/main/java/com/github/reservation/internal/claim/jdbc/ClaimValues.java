// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlValues;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that a statement on the table of claims can bind.
 *
 * @param claim the new owner, for a statement that reserves
 * @param micros a duration: how long a claim runs, or how long ago something was
 * @param version the version that the row must have
 */
record ClaimValues(
        String id,
        @Nullable NewClaim claim,
        @Nullable String token,
        @Nullable String entity,
        long micros,
        long version,
        int limit)
        implements SqlStatement.Values {

    static final Set<String> PARAMETERS =
            Set.of("id", "key", "type", "value", "correlation", "token", "entity", "micros", "version", "limit");

    static ClaimValues of(String id) {
        return new ClaimValues(id, null, null, null, 0, 0, 0);
    }

    static ClaimValues of(NewClaim claim) {
        return new ClaimValues(
                claim.reservationId(), claim, claim.token(), null, SqlValues.micros(claim.ttl()), 0, 0);
    }

    ClaimValues withToken(@Nullable String newToken) {
        return new ClaimValues(id, claim, newToken, entity, micros, version, limit);
    }

    ClaimValues withEntity(String newEntity) {
        return new ClaimValues(id, claim, token, newEntity, micros, version, limit);
    }

    ClaimValues withDuration(Duration duration) {
        return new ClaimValues(id, claim, token, entity, SqlValues.micros(duration), version, limit);
    }

    ClaimValues withVersion(long newVersion) {
        return new ClaimValues(id, claim, token, entity, micros, newVersion, limit);
    }

    ClaimValues withLimit(int newLimit) {
        return new ClaimValues(id, claim, token, entity, micros, version, newLimit);
    }

    @Override
    public void set(PreparedStatement statement, int index, String parameter) throws SQLException {
        switch (parameter) {
            case "id" -> statement.setString(index, id);
            case "token" -> statement.setString(index, token);
            case "entity" -> statement.setString(index, entity);
            case "micros" -> statement.setLong(index, micros);
            case "version" -> statement.setLong(index, version);
            case "limit" -> statement.setInt(index, limit);
            default -> setOfClaim(statement, index, parameter);
        }
    }

    private void setOfClaim(PreparedStatement statement, int index, String parameter) throws SQLException {
        if (claim == null) {
            throw new IllegalArgumentException("There is no value for :" + parameter);
        }
        switch (parameter) {
            case "key" -> statement.setString(index, claim.key());
            case "type" -> statement.setString(index, claim.type());
            case "value" -> statement.setString(index, claim.value());
            case "correlation" -> statement.setString(index, claim.correlationId());
            default -> throw new IllegalArgumentException("There is no parameter :" + parameter);
        }
    }
}
