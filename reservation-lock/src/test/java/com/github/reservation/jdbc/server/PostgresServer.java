// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL 18 as its users run it: every commit is flushed to the disk. {@code pg_stat_statements} is loaded; a
 * database that wants to look at it says {@code CREATE EXTENSION pg_stat_statements}.
 */
public final class PostgresServer implements DatabaseServer {

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String USER = "postgres";
    private static final String PASSWORD = "";

    private final Path data;
    private final int port;
    private final RunningServer server;

    private PostgresServer(boolean shared) {
        Installation installation = Installation.of(ARCHIVE, PostgresServer::install);
        Path directory = installation.newServer();
        data = directory.resolve("data");
        port = Ports.free();
        List<String> command = new ArrayList<>(asNobody());
        command.addAll(List.of(installation.home().resolve("bin/postgres").toString(),
                "-D", data.toString(),
                "-c", "listen_addresses=127.0.0.1",
                "-c", "port=" + port,
                "-c", "unix_socket_directories=",
                "-c", "max_connections=200",
                "-c", "fsync=on",
                "-c", "synchronous_commit=on",
                "-c", "shared_preload_libraries=pg_stat_statements",
                // In the data directory, not in /dev/shm: it goes with the server, even when that is killed.
                "-c", "dynamic_shared_memory_type=mmap"));
        server = new RunningServer(directory, command, dataSource(), shared);
    }

    private static void install(Path home) throws IOException {
        Path archive = home.resolve("archive.txz");
        try (InputStream content = PostgresServer.class.getResourceAsStream(ARCHIVE)) {
            Files.copy(content, archive);
        }
        Installation.run(List.of("tar", "-xJf", archive.toString(), "-C", home.toString()));
        Files.delete(archive);

        List<String> initdb = new ArrayList<>(asNobody());
        initdb.addAll(List.of(home.resolve("bin/initdb").toString(), "-D", home.resolve("data").toString(),
                "--username=" + USER, "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"));
        Installation.run(initdb);
    }

    /** PostgreSQL refuses to be root; in a user namespace of its own it is not, and its semaphores go with it. */
    private static List<String> asNobody() {
        return System.getProperty("user.name").equals("root") ? List.of("unshare", "--user", "--ipc") : List.of();
    }

    /** The one server of all tests in this JVM: the one that is named, else one that the first call starts. */
    public static DatabaseServer shared() {
        Backend.POSTGRESQL.require();
        return Shared.SERVER;
    }

    /** Starts a server that the caller may break, and closes. */
    public static PostgresServer start() {
        Backend.POSTGRESQL.requireOwnServer();
        return new PostgresServer(false);
    }

    @Override
    public String url() {
        return url("postgres");
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return PASSWORD;
    }

    @Override
    public DataSource dataSource() {
        return dataSource(url());
    }

    private static DataSource dataSource(String url) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(url);
        dataSource.setUser(USER);
        dataSource.setPassword(PASSWORD);
        return dataSource;
    }

    @Override
    public Database newDatabase() {
        String url = url(server.newDatabase());
        return new Database(url, USER, PASSWORD, dataSource(url));
    }

    /** Lets those who want to come by TLS from now on; they cannot check who it is. */
    public void speakTls() {
        try (Connection connection = dataSource().getConnection(); Statement statement = connection.createStatement()) {
            Certificate.write(data);
            statement.execute("ALTER SYSTEM SET ssl = on");
            statement.execute("SELECT pg_reload_conf()");
            await().ignoreExceptions().until(this::speaksTls);
        } catch (SQLException | IOException | GeneralSecurityException e) {
            throw new IllegalStateException("Could not switch TLS on", e);
        }
    }

    private boolean speaksTls() throws SQLException {
        try (Connection connection = dataSource(url() + "?sslmode=require").getConnection()) {
            return connection.isValid(1);
        }
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

    private static final class Shared {

        static final DatabaseServer SERVER = NamedServer.of("postgresql").orElseGet(() -> new PostgresServer(true));
    }
}
