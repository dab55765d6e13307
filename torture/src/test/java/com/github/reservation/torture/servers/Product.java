// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.H2Server;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.MySqlServer;
import com.github.reservation.jdbc.server.PostgresServer;
import java.util.Locale;
import java.util.function.Supplier;

/** The databases, with the timeouts that their users are told to set: a server that hangs must not hang its clients. */
enum Product {
    /** Seconds. */
    POSTGRESQL(PostgresServer::start, "?connectTimeout=1&loginTimeout=2&cancelSignalTimeout=1&socketTimeout=2"),
    /** Milliseconds. */
    MARIADB(MariaDbServer::start, "?connectTimeout=1000&socketTimeout=2000"),
    /** Milliseconds, too. */
    MYSQL(MySqlServer::start, "?connectTimeout=1000&socketTimeout=2000"),
    /** A server of its own: H2 inside a worker would die with it. */
    H2(H2Server::start, ";NETWORK_TIMEOUT=2000");

    private final Supplier<DatabaseServer> start;
    private final String timeouts;

    Product(Supplier<DatabaseServer> start, String timeouts) {
        this.start = start;
        this.timeouts = timeouts;
    }

    static Product named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    DatabaseServer start() {
        return start.get();
    }

    /** Returns the URL for a client that comes through a proxy. */
    String through(int port, String url) {
        return url.replaceFirst("(127[.]0[.]0[.]1):[0-9]+", "$1:" + port) + timeouts;
    }

    /** Returns the name of its DDL. */
    String ddl() {
        return name().toLowerCase(Locale.ROOT);
    }
}
