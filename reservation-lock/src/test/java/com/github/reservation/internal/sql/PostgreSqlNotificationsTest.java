// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notifications as pgjdbc returns them. */
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // Its tests listen on the same channel.
@Needs(value = Backend.POSTGRESQL, ownServer = true)
class PostgreSqlNotificationsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MANY = 5_000;

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        server.speakTls();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"disable", "require"})
    void aNotificationIsReturned(String tls) throws Exception {
        try (Connection listening = connect(tls); Connection other = connect(tls)) {
            PostgreSqlNotifications notifications = new PostgreSqlNotifications(listening);
            execute(listening, "LISTEN test");

            for (int i = 0; i < 5; i++) {
                execute(other, "SELECT pg_notify('test', 'number " + i + "')");
                assertThat(notifications.await(PATIENCE)).containsExactly("number " + i);
            }
            assertThat(notifications.await(Duration.ofMillis(50))).isEmpty();
            assertThat(listening.isValid(10)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disable", "require"})
    void nothingIsMissedWhenManyComeTogether(String tls) throws Exception {
        try (Connection listening = connect(tls); Connection other = connect(tls)) {
            PostgreSqlNotifications notifications = new PostgreSqlNotifications(listening);
            execute(listening, "LISTEN test");

            execute(other, "SELECT pg_notify('test', i || ' of many') FROM generate_series(1, " + MANY + ") i");
            execute(other, "SELECT pg_notify('test', 'the last')");

            List<String> received = new ArrayList<>();
            while (!received.contains("the last")) {
                String[] messages = notifications.await(PATIENCE);
                assertThat(messages).isNotEmpty();
                received.addAll(Arrays.asList(messages));
            }
            List<String> sent = new ArrayList<>(
                    IntStream.rangeClosed(1, MANY).mapToObj(i -> i + " of many").toList());
            sent.add("the last");
            assertThat(received).isEqualTo(sent);
        }
    }

    private static Connection connect(String tls) throws SQLException {
        Connection connection = DriverManager.getConnection(
                server.url() + "?sslmode=" + tls,
                server.user(),
                "");
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
            rows.next();
            assertThat(rows.getBoolean(1)).isEqualTo(tls.equals("require"));
        }
        return connection;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
