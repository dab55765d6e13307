// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.test.StoreContract;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract on a table of a database. All tests share the table; each node has settings and a memory of its own. */
@SideBySide
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcStoreContract extends StoreContract {

    JdbcBackend backend;

    abstract JdbcBackend createBackend();

    @BeforeAll
    final void openBackend() {
        backend = createBackend();
    }

    @AfterAll
    final void closeBackend() {
        backend.close();
    }

    @Override
    protected LeaseStore openStore() {
        return new JdbcLeaseStore(settings(backend.dataSource()));
    }

    static JdbcSettings settings(DataSource dataSource) {
        return new JdbcSettings(
                new SqlTable(
                        dataSource,
                        Optional.empty(),
                        JdbcSettings.DEFAULT_TABLE,
                        JdbcSettings.DEFAULT_QUERY_TIMEOUT,
                        ""),
                false,
                JdbcSettings.graceFor(Duration.ofMillis(100)),
                Optional.of(JdbcSettings.DEFAULT_PURGE_AFTER));
    }

    @Override
    protected void passTime(Duration time) {
        backend.passTime(time);
    }
}
