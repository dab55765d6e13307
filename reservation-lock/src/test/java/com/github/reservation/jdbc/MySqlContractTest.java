// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.BackendContract;
import com.github.reservation.contract.TestBackend;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The whole contract on a MySQL that somebody has: {@code -Dmysql.url=jdbc:mysql://127.0.0.1/test -Dmysql.user=…
 * -Dmysql.password=…}. The table in that database is dropped and made anew.
 */
@EnabledIfSystemProperty(named = "mysql.url", matches = "jdbc:mysql:.+", disabledReason = "No MySQL was named")
class MySqlContractTest extends BackendContract {

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend(
                System.getProperty("mysql.url"),
                System.getProperty("mysql.user", "root"),
                System.getProperty("mysql.password", ""),
                "mysql");
    }
}
