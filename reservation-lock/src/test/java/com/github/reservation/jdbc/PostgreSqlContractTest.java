// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.AutoRenewalContract;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.PostgresServer;
import org.junit.jupiter.api.Nested;

/** The contract on a real PostgreSQL. */
@Needs(Backend.POSTGRESQL)
class PostgreSqlContractTest extends BackendContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(PostgresServer.shared(), "postgresql");
    }

    @Nested
    class Renewal extends AutoRenewalContract {
        @Override
        protected TestBackend createBackend() {
            return PostgreSqlContractTest.this.createBackend();
        }
    }
}
