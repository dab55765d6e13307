// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.torture.nemesis.Fault;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An administrator ends the sessions of one worker, and of no other. */
class SessionsTest {

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql"})
    void theSessionsOfOneWorkerEnd(String name) throws Exception {
        try (DatabaseStore store = (DatabaseStore) Store.start(name, 2);
                Connection victim = connect(store.access(0));
                Connection other = connect(store.access(1))) {
            terminate(store, 0);

            assertThatThrownBy(() -> query(victim)).isInstanceOf(SQLException.class);
            assertThat(query(other)).isTrue();
        }
    }

    /** Draws until it is this worker's turn. */
    private static void terminate(DatabaseStore store, int worker) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        Fault fault = store.faults().stream().filter(kind -> kind.name().equals("terminate-sessions"))
                .flatMap(kind -> Stream.generate(() -> kind.draw().apply(random)))
                .filter(drawn -> Objects.equals(drawn.facts().get("of"), worker))
                .findFirst()
                .orElseThrow();
        fault.strike().run();
    }

    private static Connection connect(Access.Database access) throws SQLException {
        return DriverManager.getConnection(access.url(), access.user(), "");
    }

    private static boolean query(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute("SELECT 1");
        }
    }
}
