// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.jdbc.Database;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of claims, and what is refused before anything is sent. */
class ClaimsBuilderTest {

    private final JdbcClaimsBuilder builder = Claims.jdbc(new JdbcDataSource());

    @Test
    void nothingIsSentBeforeTheFirstCall() {
        builder.database(Database.POSTGRESQL)
                .tableName("other.CLAIMS")
                .queryTimeout(Duration.ofSeconds(1))
                .transactionWait(Duration.ofSeconds(1))
                .purgeAfter(Duration.ZERO)
                .normalize("email", value -> value)
                .meterRegistry(null)
                .build()
                .close();
    }

    @Test
    void aStoreOfYourOwnNeedNotKnowTransactions() {
        ClaimStore store = (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[]{ClaimStore.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("It was called");
                });
        try (Claims claims = Claims.on(store).normalize("email", value -> value).meterRegistry(null).build();
                Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> claims.in(connection))
                    .withMessageStartingWith("The store of the claims cannot join a transaction");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        assertThatNullPointerException().isThrownBy(() -> Claims.on(null)).withMessage("store must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.999S", "PT-1S", "PT2147483648S"})
    void timeoutsAreWholeSeconds(Duration timeout) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.queryTimeout(timeout))
                .withMessage(
                        "queryTimeout must be at least 1 second and at most 2147483647 seconds, but is " + timeout);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.transactionWait(timeout))
                .withMessageStartingWith("transactionWait must be at least 1 second")
                .withMessageEndingWith("but is " + timeout);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT23H59M", "PT-1S"})
    void rowsStayForADayAtLeast(Duration after) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.purgeAfter(after))
                .withMessage("purgeAfter must be zero or at least PT24H, but is " + after);
    }

    @Test
    void aTableNameIsAnIdentifier() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.tableName("claims; DROP TABLE users"));
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> Claims.jdbc(null)).withMessage("dataSource must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Claims.inMemory((Ticker) null))
                .withMessage("ticker must not be null");
        assertThatNullPointerException().isThrownBy(() -> builder.database(null));
        assertThatNullPointerException().isThrownBy(() -> builder.normalize(null, value -> value));
        assertThatNullPointerException().isThrownBy(() -> builder.normalize("email", null));
        assertThatNullPointerException().isThrownBy(() -> new ClaimToken(null));
        assertThatNullPointerException().isThrownBy(() -> ClaimQuery.byId(null));
        assertThatNullPointerException().isThrownBy(() -> ClaimQuery.byKey("email", null));
        try (Claims claims = Claims.inMemory().build()) {
            assertThatNullPointerException().isThrownBy(() -> claims.onEvent(null));
            assertThatNullPointerException().isThrownBy(() -> claims.findReservation(null));
        }
    }

    @Test
    void aClosedConnectionIsRefusedWithItsReason() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        connection.close();

        try (Claims claims = Claims.inMemory().build()) {
            assertThatExceptionOfType(ReservationException.class)
                    .isThrownBy(() -> claims.in(connection))
                    .withMessageStartingWith("The connection cannot be used: ")
                    .withCauseInstanceOf(SQLException.class);
        }
    }

    @Test
    void nothingShowsAValueOrAToken() {
        Instant time = Instant.EPOCH;
        ClaimToken token = new ClaimToken("secret");
        Claim claim = new Claim("res_1", "email:alice", "email", "alice", ClaimStatus.RESERVED, time, Duration.ZERO,
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 1, time, time);

        assertThat(claim).hasToString("Claim[res_1, type email, RESERVED, version 1]");
        assertThat(token).hasToString("ClaimToken[…]");
        assertThat(new ReserveResult.Success("res_1", "email:alice", time, 1, token, true))
                .hasToString("Success[res_1, until 1970-01-01T00:00:00Z, existing]");
        assertThat(ClaimQuery.byKey("email", "alice").activeOnly()).hasToString("ClaimQuery[type email, active]");
        assertThat(new ClaimExpired("res_1", "email", "email:alice", Optional.empty(), time).toString())
                .doesNotContain("alice");
        assertThat(new ClaimReserved("res_1", "email", "email:alice", Optional.empty(), time, time).toString())
                .doesNotContain("alice");
    }
}
