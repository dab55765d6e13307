// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.jdbc.Ddl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/** Claims in memory and in a database, in a JVM that has H2 and no other jar, see {@code OptionalDependenciesTest}. */
public final class ClaimsAlone {

    private ClaimsAlone() {}

    public static void main(String[] args) throws SQLException {
        use(Claims.inMemory().build());
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:alone;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2-claims"));
        }
        use(Claims.jdbc(dataSource).build());
    }

    /** Does once what claims are for, and closes them. */
    private static void use(Claims opened) {
        try (Claims claims = opened) {
            ReserveResult.Success reserved =
                    (ReserveResult.Success) claims.reserve("email", "alice@example.com", Claims.RECOMMENDED_TTL);
            claims.confirm(reserved.reservationId(), reserved.token(), "1");
            if (claims.findByEntityId("1").isEmpty()) {
                throw new IllegalStateException("The claim is not confirmed");
            }
            System.out.println("claimed");
        }
    }
}
