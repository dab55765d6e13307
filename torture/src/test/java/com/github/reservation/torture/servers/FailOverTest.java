// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.torture.nemesis.Fault;
import com.github.reservation.torture.nemesis.FaultKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A standby takes over, with everything that was committed; workers find it at the same address. */
@Needs(value = Backend.POSTGRESQL, ownServer = true)
class FailOverTest {

    @Test
    void aSynchronousStandbyHasEverything() throws Exception {
        try (DatabaseStore store = (DatabaseStore) Store.start("postgresql-sync", 1)) {
            run(store, "CREATE TABLE t (n INT)");
            run(store, "INSERT INTO t VALUES (42)");

            Fault failOver = store.faults().stream().filter(kind -> kind.name().equals("fail-over"))
                    .map(FaultKind::draw).findFirst().orElseThrow().apply(new SplittableRandom(1));
            failOver.strike().run();
            failOver.heal().run();

            run(store, "INSERT INTO t SELECT n + 1 FROM t");
            try (Connection connection = store.direct().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT string_agg(n::text, ' ' ORDER BY n) FROM t")) {
                result.next();
                assertThat(result.getString(1)).isEqualTo("42 43");
            }
        }
    }

    private static void run(DatabaseStore store, String sql) throws SQLException {
        Access.Database access = store.access(0);
        try (Connection connection = DriverManager.getConnection(access.url(), access.user(), "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
