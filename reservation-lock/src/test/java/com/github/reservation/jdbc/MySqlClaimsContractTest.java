// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.claim.ClaimBackend;
import com.github.reservation.claim.JdbcClaimsContract;
import com.github.reservation.jdbc.server.MySqlServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract of claims on a {@linkplain MySqlServer MySQL that somebody has}. */
@EnabledIfSystemProperty(named = "mysql.url", matches = "jdbc:mysql:.+", disabledReason = "No MySQL was named")
class MySqlClaimsContractTest extends JdbcClaimsContract {

    @Override
    protected ClaimBackend createBackend() {
        return ClaimDatabase.on(JdbcBackend.on(MySqlServer.named(), "mysql"), "mysql", 150);
    }
}
