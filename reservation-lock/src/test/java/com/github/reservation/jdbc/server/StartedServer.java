// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import com.github.reservation.contract.Ports;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;

/** What the servers that tests start have in common: an administrator without a password, and a process on a port of its own. */
abstract sealed class StartedServer implements DatabaseServer permits PostgresServer, MariaDbServer, MySqlServer {

    private static final String PASSWORD = "";

    /** What the server writes is below it. */
    final Path directory;

    private final int port;
    private final String url;
    private final String own;
    private final String user;
    private final RunningServer server;

    /**
     * Starts the server and waits until it answers.
     *
     * @param product the name of the product in URLs
     * @param own the server's own database
     * @param user the administrator
     * @param shared whether other tests of this JVM need it
     */
    StartedServer(String product, String own, String user, Installation installation, boolean shared) {
        this(product, own, user, installation.home(), installation.newServer(), shared);
    }

    /**
     * Starts the server on data that are there.
     *
     * @param directory belongs to the server alone, and has the data below {@code data}
     */
    StartedServer(String product, String own, String user, Path home, Path directory, boolean shared) {
        this.directory = directory;
        this.port = Ports.free(); // As late as possible: until the server has it, another may draw the same one.
        this.url = "jdbc:" + product + "://127.0.0.1:" + port + "/";
        this.own = own;
        this.user = user;
        this.server = new RunningServer(directory, command(home, directory, port), dataSource(), shared);
    }

    /** Returns the command that starts the server on a port. Called before the server is constructed. */
    abstract List<String> command(Path home, Path directory, int port);

    /** Returns the data source of the driver, which opens a new connection at each call. */
    abstract DataSource open(String url, String user, String password);

    private DataSource dataSource(String database) {
        return open(url + database, user, PASSWORD);
    }

    public int port() {
        return port;
    }

    @Override
    public String url() {
        return url + own;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String password() {
        return PASSWORD;
    }

    @Override
    public DataSource dataSource() {
        return dataSource(own);
    }

    @Override
    public Database newDatabase() {
        return database(server.newDatabase());
    }

    /** Returns a database that is there. */
    public Database database(String name) {
        return new Database(url + name, user, PASSWORD, dataSource(name));
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public void close() {
        server.close();
    }
}
