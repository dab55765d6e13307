// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Ticker;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ExtendResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.TransactionRetryException;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.internal.claim.MemoryClaims;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.memory.ManualTicker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the page on the reservation pattern. */
@Needs(Backend.H2)
class ClaimExamplesTest {

    private final JdbcDataSource h2 = new JdbcDataSource();
    private DataSource dataSource;
    private Claims claims;

    @BeforeEach
    void open() throws SQLException {
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        dataSource = h2;
        try (Connection connection = h2.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2-claims"));
            statement.execute("CREATE TABLE users (id VARCHAR(36) PRIMARY KEY, email VARCHAR(200))");
        }
        // @start region="claims-build"
        Claims claims = Claims.jdbc(dataSource)
                .normalize("email", value -> value.strip().toLowerCase(Locale.ROOT))
                .build();
        // @end
        this.claims = claims;
    }

    @AfterEach
    void close() {
        claims.close();
    }

    @Test
    void aValueIsReservedAndConfirmed() {
        String userId = UUID.randomUUID().toString();
        // @start region="claims-first"
        switch (claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL)) {
            case ReserveResult.Success reserved ->
                claims.confirm(reserved.reservationId(), reserved.token(), userId);
            case ReserveResult.Conflict taken -> show("This e-mail address is taken");
            case ReserveResult.Failure wrong -> show(wrong.message());
        }
        // @end
        assertThat(claims.isAvailable("email", "alice@example.com")).isFalse();
        assertThat(claims.findByEntityId(userId)).hasSize(1);
    }

    @Test
    void claimsOnAStoreOfYourOwn() {
        ClaimStore store = new MemoryClaims(Ticker.system());
        // @start region="claims-on-a-store"
        Claims claims = Claims.on(store).build();
        // @end
        assertThat(claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL))
                .isInstanceOf(ReserveResult.Success.class);
        assertThat(claims.countByStatus()).hasSize(ClaimStatus.values().length);
        claims.close();
    }

    @Test
    void userAndClaimCommitTogether() throws SQLException {
        ReserveResult.Success reserved =
                (ReserveResult.Success) claims.reserve("email", "alice@example.com", Duration.ofMinutes(5));

        assertThat(register(reserved.reservationId(), reserved.token(), "alice@example.com")).isTrue();
        assertThat(register(reserved.reservationId(), reserved.token(), "alice@example.com"))
                .as("the second click")
                .isFalse();

        assertThat(users()).isOne();
    }

    // @start region="claims-register"
    boolean register(String reservationId, ClaimToken token, String email) throws SQLException {
        String userId = UUID.randomUUID().toString();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            insertUser(connection, userId, email);
            if (claims.in(connection).confirm(reservationId, token, userId) instanceof ConfirmResult.Success) {
                connection.commit(); // the user and the claim, or neither
                return true;
            }
            connection.rollback(); // the claim is over: ask for the address again
            return false;
        }
    }
    // @end

    @Test
    void aTransactionIsRetried() throws SQLException {
        ReserveResult.Success reserved =
                (ReserveResult.Success) claims.reserve("email", "alice@example.com", Duration.ofMinutes(5));
        assertThat(registerWithRetries(reserved.reservationId(), reserved.token(), "alice@example.com")).isTrue();
        assertThat(users()).isOne();
    }

    // @start region="claims-retry-transaction"
    boolean registerWithRetries(String reservationId, ClaimToken token, String email) throws SQLException {
        for (int attempt = 1;; attempt++) {
            try {
                return register(reservationId, token, email);
            } catch (TransactionRetryException e) {
                if (attempt == 5) {
                    throw e;
                }
            }
        }
    }
    // @end

    @Test
    void aRegistrationIsCancelled() {
        ReserveResult.Success reserved =
                (ReserveResult.Success) claims.reserve("email", "alice@example.com", Duration.ofMinutes(5));
        // @start region="claims-cancel"
        claims.release(reserved.reservationId(), reserved.token());
        // @end
        assertThat(claims.isAvailable("email", "alice@example.com")).isTrue();
    }

    @Test
    void aRequestIsRepeated() {
        String signUpId = UUID.randomUUID().toString();
        // @start region="claims-idempotent"
        ReserveResult first = claims.reserveIdempotent("email", "alice@example.com", Duration.ofMinutes(5), signUpId);
        ReserveResult again = claims.reserveIdempotent("email", "alice@example.com", Duration.ofMinutes(5), signUpId);
        // @end
        assertThat(((ReserveResult.Success) again).token()).isEqualTo(((ReserveResult.Success) first).token());
        assertThat(((ReserveResult.Success) again).existing()).isTrue();
    }

    @Test
    void aClaimIsExtended() {
        ReserveResult.Success reserved =
                (ReserveResult.Success) claims.reserve("email", "alice@example.com", Duration.ofMinutes(5));
        // @start region="claims-extend"
        ExtendResult extended =
                claims.extend(reserved.reservationId(), reserved.token(), Duration.ofMinutes(15));
        if (extended instanceof ExtendResult.Failure over) {
            show("Please start again: " + over.code());
        }
        // @end
        assertThat(claims.getReservation(reserved.reservationId()).getRemainingTTL())
                .isGreaterThan(Duration.ofMinutes(14));
    }

    @Test
    void aUserIsDeleted() {
        ReserveResult.Success reserved =
                (ReserveResult.Success) claims.reserve("email", "alice@example.com", Duration.ofMinutes(5));
        String userId = "7";
        claims.confirm(reserved.reservationId(), reserved.token(), userId);
        // @start region="claims-delete"
        for (Claim claim : claims.findByEntityId(userId)) {
            claims.releaseConfirmed(claim.key(), userId);
        }
        // @end
        assertThat(claims.isAvailable("email", "alice@example.com")).isTrue();
    }

    @Test
    void aTestMovesTime() {
        List<String> told = new ArrayList<>();
        // @start region="claims-test"
        ManualTicker ticker = new ManualTicker();
        Claims claims = Claims.inMemory(ticker).build();
        claims.onEvent(event -> {
            if (event instanceof ClaimExpired expired) {
                told.add(expired.type() + " expired");
            }
        });
        claims.reserve("email", "alice@example.com", Duration.ofMinutes(5));

        ticker.advance(Duration.ofMinutes(5));

        assertThat(claims.isAvailable("email", "alice@example.com")).isTrue();
        claims.expireReservations(100);
        assertThat(told).containsExactly("email expired");
        // @end
    }

    private static void show(String message) {
        throw new AssertionError(message);
    }

    private static void insertUser(Connection connection, String id, String email) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO users (id, email) VALUES (?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, email);
            insert.executeUpdate();
        }
    }

    private int users() throws SQLException {
        try (Connection connection = h2.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM users")) {
            row.next();
            return row.getInt(1);
        }
    }
}
