// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.claim.jdbc.JdbcClaims;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.test.ClaimStoreContract;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract of claims on a table of a database, which all tests share, one after another. */
@SideBySide
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcClaimStoreContract extends ClaimStoreContract {

    private JdbcBackend backend;

    abstract JdbcBackend createBackend();

    abstract String ddl();

    @BeforeAll
    final void openBackend() {
        backend = createBackend();
        JdbcBackend.execute(backend.dataSource(), Ddl.of(ddl() + "-claims"));
    }

    @AfterAll
    final void closeBackend() {
        backend.close();
    }

    @Override
    protected ClaimStore openStore() {
        SqlTable table = new SqlTable(
                backend.dataSource(),
                Optional.empty(),
                JdbcClaims.DEFAULT_TABLE,
                Duration.ofSeconds(20),
                JdbcClaims.DDL);
        return new JdbcClaims(table, Duration.ofSeconds(10), Optional.of(Duration.ofDays(30)), null);
    }

    /** The store itself has no lower limit. */
    @Override
    protected Duration shortTtl() {
        return Duration.ofMillis(500);
    }

    @Override
    protected void passTime(Duration time) {
        backend.passTime(time);
    }
}
