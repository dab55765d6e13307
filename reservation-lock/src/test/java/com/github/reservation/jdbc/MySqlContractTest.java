// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.MySqlServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The whole contract on a {@linkplain MySqlServer MySQL that somebody has}. */
@EnabledIfSystemProperty(named = "mysql.url", matches = "jdbc:mysql:.+", disabledReason = "No MySQL was named")
class MySqlContractTest extends BackendContract {

    @Override
    protected TestBackend createBackend() {
        return JdbcBackend.on(MySqlServer.named(), "mysql");
    }
}
