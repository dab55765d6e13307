// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The whole contract on an Oracle that somebody has: {@code -Doracle.url=jdbc:oracle:thin:@//host:1521/service -Doracle.user=…
 * -Doracle.password=…}. The table in that user's schema is dropped and made anew.
 */
@EnabledIfSystemProperty(named = "oracle.url", matches = "jdbc:oracle:.+", disabledReason = "No Oracle was named")
class OracleContractTest extends OracleServerContract {

    @Override
    protected String url() {
        return System.getProperty("oracle.url");
    }

    @Override
    protected String user() {
        return System.getProperty("oracle.user");
    }

    @Override
    protected String password() {
        return System.getProperty("oracle.password");
    }
}
