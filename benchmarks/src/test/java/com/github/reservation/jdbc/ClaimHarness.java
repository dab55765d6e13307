// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.harness.Comparison;
import com.github.reservation.harness.Comparison.Cycle;
import com.github.reservation.harness.Comparison.Preparation;
import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Compares claims with what somebody would write by hand for a table like theirs, on the same pool and with the same indexes: reserve and
 * confirm with an insert and an update in autocommit, a conflict with a select. Rounds of both take turns; what counts is the ratio.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@claims}.
 */
public final class ClaimHarness {

    private static final int ROUNDS = 15;
    private static final Duration TTL = Duration.ofMinutes(5);

    private ClaimHarness() {}

    public static void main(String[] args) throws Exception {
        System.out.println("Claims against plain statements: median of " + ROUNDS + " rounds [least..greatest]");
        List<String> only = List.of(args);
        if (only.isEmpty() || only.contains("postgresql")) {
            try (PostgresServer server = PostgresServer.start()) {
                measure("PostgreSQL", server.url(), server.user(), Dialects.POSTGRESQL);
                measureFullTable(server.url(), server.user());
            }
        }
        if (only.isEmpty() || only.contains("mariadb")) {
            try (MariaDbServer server = MariaDbServer.start()) {
                String prepared = server.newDatabase().url() + "?useServerPrepStmts=true";
                measure("MariaDB", prepared, server.user(), Dialects.MARIADB);
            }
        }
        if (only.isEmpty() || only.contains("h2")) {
            measure("H2 in memory", "jdbc:h2:mem:claims;DB_CLOSE_DELAY=-1", "sa", Dialects.H2);
        }
    }

    private static void measure(String name, String url, String user, Dialect dialect) throws Exception {
        try (HikariDataSource pool = JdbcBackend.pool(url, user, "");
                Claims claims = Claims.jdbc(pool).purgeAfter(Duration.ZERO).build()) {
            pool.setMaximumPoolSize(16);
            install(pool, dialect, "RESERVATION_CLAIMS");
            ByHand byHand = new ByHand(pool, dialect);
            Preparation startOver = () -> {
                JdbcBackend.execute(pool, "TRUNCATE TABLE RESERVATION_CLAIMS");
                claims.reserve("email", "taken", TTL);
            };
            for (int i = 0; i < (url.startsWith("jdbc:h2:") ? 10 : 3); i++) {
                startOver.run();
                Comparison.warmUp(1, byHand::insertAndUpdate, reserveAndConfirm(claims), byHand::select,
                        conflict(claims));
            }
            Comparison comparison = new Comparison(ROUNDS);
            for (int threads : new int[]{1, 8}) {
                comparison.run(name + ", reserve and confirm, " + threads + " threads", threads,
                        byHand::insertAndUpdate, reserveAndConfirm(claims), startOver);
            }
            comparison.run(name + ", conflict, 1 thread", 1, byHand::select, conflict(claims), startOver);
        }
    }

    /** Compares a table of a million confirmed claims with an empty one. */
    private static void measureFullTable(String url, String user) throws Exception {
        try (HikariDataSource pool = JdbcBackend.pool(url, user, "");
                Claims empty = Claims.jdbc(pool).purgeAfter(Duration.ZERO).build();
                Claims full = Claims.jdbc(pool).tableName("FULL_CLAIMS").purgeAfter(Duration.ZERO).build()) {
            install(pool, Dialects.POSTGRESQL, "FULL_CLAIMS");
            JdbcBackend.execute(pool, """
                    INSERT INTO FULL_CLAIMS (reservation_id, claim_key, claim_type, claim_value, status, expires_at,
                        entity_id, confirmed_at, token, version, created_at, updated_at)
                    SELECT 'res_' || md5(n::text), 'email:user' || n, 'email', 'user' || n, 'confirmed', now(), 'entity ' || n,
                        now(), md5('t' || n), 2, now(), now()
                    FROM generate_series(1, 1000000) n
                    """);
            JdbcBackend.execute(pool, "VACUUM ANALYZE FULL_CLAIMS");
            Preparation startOver = () -> JdbcBackend.execute(pool, "TRUNCATE TABLE RESERVATION_CLAIMS");
            Comparison.warmUp(1, reserveAndConfirm(empty), reserveAndConfirm(full));
            new Comparison(ROUNDS).run("PostgreSQL, 1,000,000 claims against none, 1 thread", 1,
                    reserveAndConfirm(empty), reserveAndConfirm(full), startOver);
        }
    }

    private static void install(DataSource pool, Dialect dialect, String table) {
        JdbcBackend.execute(pool, "DROP TABLE IF EXISTS " + table);
        JdbcBackend.execute(pool, Ddl.of(dialect.name() + "-claims").replaceAll("(?i)reservation_claims", table));
    }

    private static Cycle reserveAndConfirm(Claims claims) {
        return (thread, number) -> {
            String value = UUID.randomUUID().toString();
            ReserveResult.Success reserved = (ReserveResult.Success) claims.reserve("email", value, TTL);
            if (!(claims.confirm(reserved.reservationId(), reserved.token(), value) instanceof ConfirmResult.Success)) {
                throw new IllegalStateException("Not confirmed");
            }
        };
    }

    private static Cycle conflict(Claims claims) {
        return (thread, number) -> {
            if (!(claims.reserve("email", "taken", TTL) instanceof ReserveResult.Conflict)) {
                throw new IllegalStateException("No conflict");
            }
        };
    }

    /** What somebody would write by hand. */
    private record ByHand(DataSource pool, String insert, String confirm, String select) {

        ByHand(DataSource pool, Dialect dialect) {
            this(
                    pool,
                    """
                            INSERT INTO RESERVATION_CLAIMS (reservation_id, claim_key, claim_type, claim_value, status,
                                expires_at, correlation_id, token, version, created_at, updated_at)
                            VALUES (?, ?, 'email', ?, 'reserved', %1$s, NULL, ?, 1, %2$s, %2$s)
                            """.formatted(dialect.nowPlus("300000000"), dialect.now()),
                    """
                            UPDATE RESERVATION_CLAIMS
                            SET status = 'confirmed', entity_id = ?, confirmed_at = %1$s, updated_at = %1$s,
                                version = version + 1
                            WHERE reservation_id = ?
                            """.formatted(dialect.now()), // With a condition on the status PostgreSQL would not use the primary key.
                    "SELECT status, expires_at FROM RESERVATION_CLAIMS WHERE reservation_id = ?");
        }

        void insertAndUpdate(int thread, long number) throws SQLException {
            String value = UUID.randomUUID().toString();
            String id = "raw_" + value.replace("-", "");
            execute(insert, id, "email:" + value, value, value.replace("-", ""));
            execute(confirm, value, id);
        }

        private void execute(String sql, String... values) throws SQLException {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setString(i + 1, values[i]);
                }
                if (statement.executeUpdate() != 1) {
                    throw new IllegalStateException("No row");
                }
            }
        }

        void select(int thread, long number) throws SQLException {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(select)) {
                statement.setString(1, "res_5c1438b72cc5b0f30617dbfe595dce9c");
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next()) {
                        throw new IllegalStateException("No row");
                    }
                }
            }
        }
    }
}
