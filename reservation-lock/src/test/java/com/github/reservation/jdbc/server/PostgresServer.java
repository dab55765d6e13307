// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.ResultSet;
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
public final class PostgresServer extends StartedServer {

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String USER = "postgres";

    private PostgresServer(boolean shared) {
        super("postgresql", "postgres", USER, installation(), shared);
    }

    private PostgresServer(Path directory) {
        super("postgresql", "postgres", USER, installation().home(), directory, false);
    }

    private static Installation installation() {
        return Installation.of(ARCHIVE, PostgresServer::install);
    }

    @Override
    List<String> command(Path home, Path directory, int port) {
        List<String> command = new ArrayList<>(asNobody());
        command.addAll(List.of(home.resolve("bin/postgres").toString(),
                "-D", directory.resolve("data").toString(),
                "-c", "listen_addresses=127.0.0.1",
                "-c", "port=" + port,
                "-c", "unix_socket_directories=",
                "-c", "max_connections=200",
                "-c", "fsync=on",
                "-c", "synchronous_commit=on",
                "-c", "shared_preload_libraries=pg_stat_statements",
                // In the data directory, not in /dev/shm: it goes with the server, even when that is killed.
                "-c", "dynamic_shared_memory_type=mmap"));
        return command;
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

    /**
     * Starts a hot standby of this server, which streams everything that is committed here.
     *
     * @param port where the standby reaches this server: a proxy, for a test that wants to cut it off
     */
    public PostgresServer standby(int port) {
        try {
            Path copy = Files.createTempDirectory("reservation-server");
            Path data = copy.resolve("data");
            try (Connection connection = dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                // So that what is written until the standby streams is still there then.
                statement.execute("ALTER SYSTEM SET wal_keep_size = '1GB'");
                statement.execute("SELECT pg_reload_conf()");
                statement.execute("SELECT pg_backup_start('standby', true)");
                // tar, because cp fails if a file disappears meanwhile; 1 says that a file has changed, as it may.
                Installation.run(List.of("sh", "-c", """
                        mkdir -m 700 "$2"
                        tar -C "$1" --exclude=./postmaster.pid --exclude=./postmaster.opts --exclude='./pg_wal/[0-9]*' \\
                            --warning=no-file-changed --warning=no-file-removed --ignore-failed-read -cf - . \\
                            | tar -C "$2" -xf -
                        """, "copy", directory.resolve("data").toString(), data.toString()));
                try (ResultSet result = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                    result.next();
                    Files.writeString(data.resolve("backup_label"), result.getString(1));
                }
            }
            Files.createFile(data.resolve("standby.signal"));
            Files.writeString(data.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=%d user=%s application_name=standby'%n"
                            .formatted(port, USER));
            return new PostgresServer(copy);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("Could not make a standby", e);
        }
    }

    /** Makes a primary of this standby, and waits until it is one. */
    public void promote() {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT pg_promote(true, 60)")) {
            result.next();
            if (!result.getBoolean(1)) {
                throw new IllegalStateException("The standby does not become a primary");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Could not promote the standby", e);
        }
    }

    @Override
    DataSource open(String url, String user, String password) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    /** Lets those who want to come by TLS from now on; they cannot check who it is. */
    public void speakTls() {
        try (Connection connection = dataSource().getConnection(); Statement statement = connection.createStatement()) {
            Certificate.write(directory.resolve("data"));
            statement.execute("ALTER SYSTEM SET ssl = on");
            statement.execute("SELECT pg_reload_conf()");
            await().ignoreExceptions().until(this::speaksTls);
        } catch (SQLException | IOException | GeneralSecurityException e) {
            throw new IllegalStateException("Could not switch TLS on", e);
        }
    }

    private boolean speaksTls() throws SQLException {
        try (Connection connection = open(url() + "?sslmode=require", user(), password()).getConnection()) {
            return connection.isValid(1);
        }
    }

    private static final class Shared {

        static final DatabaseServer SERVER = NamedServer.of("postgresql").orElseGet(() -> new PostgresServer(true));
    }
}
