// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import javax.sql.DataSource;

/**
 * A real database server for tests: on 127.0.0.1, or the one that a system property names.
 *
 * <p>One on 127.0.0.1 dies with the JVM that started it, however that JVM ends, and takes its data along. The shared server of a JVM
 * stays whole: what breaks a server throws {@link IllegalStateException} there, and {@link #close()} does nothing.
 */
public sealed interface DatabaseServer extends AutoCloseable permits StartedServer, H2Server, NamedServer {

    /** Where the server's own database is; tests of one server at a time may use it, others {@link #newDatabase()}. */
    String url();

    /** An administrator. */
    String user();

    /** The administrator's password: none, that is the empty string. */
    String password();

    /** Opens a new connection to the server's own database at each call: no pool. */
    DataSource dataSource();

    /** Creates an empty database that no other test knows. */
    Database newDatabase();

    /** Kills all of the server's processes at once with SIGKILL, and returns when they are gone. */
    void kill();

    /** Starts the server again, on the same data and the same port, and waits until it answers. Kills it if it runs. */
    void restart();

    /** Stops all of the server's processes with SIGSTOP: connections stay, or are even opened, but nothing answers. */
    void freeze();

    /** Lets the processes go on after {@link #freeze()}. */
    void thaw();

    /** Kills the server and removes its data; more than once does no harm. */
    @Override
    void close();
}
