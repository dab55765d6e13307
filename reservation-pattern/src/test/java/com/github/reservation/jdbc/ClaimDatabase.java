// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.internal.claim.jdbc.JdbcClaims;
import com.github.reservation.internal.sql.SqlTable;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** A database for the contract of claims: an empty table, made from the DDL that users get. */
final class ClaimDatabase {

    private static final int NODE_CONNECTIONS = 4;

    private ClaimDatabase() {}

    static ClaimBackend on(JdbcBackend backend, String ddl, int rounds) {
        if (!ddl.equals("oracle")) { // It has no such statement before version 23.
            JdbcBackend.execute(backend.dataSource(), "DROP TABLE IF EXISTS RESERVATION_CLAIMS");
        }
        JdbcBackend.execute(backend.dataSource(), Ddl.of(ddl + "-claims"));
        return new ClaimBackend(
                backend,
                store(backend.dataSource()),
                () -> store(backend.newPool(NODE_CONNECTIONS)),
                Optional.of(backend.dataSource()),
                rounds);
    }

    private static JdbcClaims store(DataSource dataSource) {
        return new JdbcClaims(
                new SqlTable(dataSource, Optional.empty(), JdbcClaims.DEFAULT_TABLE, Duration.ofSeconds(20),
                        JdbcClaims.DDL),
                Duration.ofSeconds(10),
                Optional.of(Duration.ofDays(30)), null);
    }
}
