// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Ends sessions at a server, as an administrator does. */
final class Sessions {

    private static final int NO_SUCH_THREAD = 1094;

    private Sessions() {}

    /** Ends the sessions of the clients that come from these ports. */
    static void terminate(DataSource database, List<Integer> ports) throws SQLException {
        try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
            switch (connection.getMetaData().getDatabaseProductName()) {
                case "PostgreSQL" -> terminateOnPostgres(statement, ports);
                case "MySQL", "MariaDB" -> terminateOnMySql(statement, ports);
                case String other -> throw new IllegalStateException("Sessions cannot be ended on " + other);
            }
        }
    }

    private static void terminateOnPostgres(Statement statement, List<Integer> ports) throws SQLException {
        statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = ANY ('{%s}')"
                .formatted(ports.stream().map(String::valueOf).collect(Collectors.joining(","))));
    }

    private static void terminateOnMySql(Statement statement, List<Integer> ports) throws SQLException {
        List<Long> sessions = new ArrayList<>();
        try (ResultSet result = statement.executeQuery("SHOW PROCESSLIST")) {
            while (result.next()) {
                // 127.0.0.1:4711, or localhost:4711 if the server resolves names; those of the server itself have no port.
                String port = result.getString("Host").replaceFirst(".*:", "");
                if (port.matches("[0-9]+") && ports.contains(Integer.valueOf(port))) {
                    sessions.add(result.getLong("Id"));
                }
            }
        }
        for (long session : sessions) {
            try {
                statement.execute("KILL " + session);
            } catch (SQLException e) {
                if (e.getErrorCode() != NO_SUCH_THREAD) {
                    throw e;
                }
            }
        }
    }
}
