// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import com.github.reservation.contract.Backend;
import com.mysql.cj.jdbc.MysqlDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * MySQL with its own defaults: REPEATABLE READ, and every commit is flushed to the disk. It runs where {@code .ci/unpack} has unpacked
 * one.
 */
public final class MySqlServer extends StartedServer {

    /** Its empty set of data is inside, so that a newer server never meets the data of an older one. */
    private static final String PROGRAMS = "mysql";

    private MySqlServer(boolean shared) {
        super("mysql", "mysql", "root", Installation.named(PROGRAMS + "/empty", MySqlServer::install), shared);
    }

    @Override
    List<String> command(Path home, Path directory, int port) {
        List<String> command = mysqld(directory.resolve("data"));
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + directory.resolve("socket"),
                "--pid-file=" + directory.resolve("pid"),
                "--tmpdir=" + directory,
                "--secure-file-priv=",
                "--max-connections=200",
                "--mysqlx=OFF"));
        return command;
    }

    /** The program with the loader and the libraries of its own Debian. */
    private static List<String> mysqld(Path data) {
        Path programs = Installation.directory(PROGRAMS);
        return new ArrayList<>(List.of(
                programs.resolve("lib64/ld-linux-x86-64.so.2").toString(),
                "--library-path", programs.resolve("usr/lib/x86_64-linux-gnu").toString(),
                programs.resolve("usr/sbin/mysqld").toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--basedir=" + programs.resolve("usr"),
                "--datadir=" + data,
                // The default of 100 MB would be copied for each server.
                "--innodb-redo-log-capacity=16M"));
    }

    private static void install(Path home) throws IOException {
        List<String> initialize = mysqld(home.resolve("data"));
        initialize.add("--initialize-insecure");
        Installation.run(initialize);
    }

    /** The one server of all tests in this JVM: the one that is named, else one that the first call starts. */
    public static DatabaseServer shared() {
        Backend.MYSQL.require();
        return Shared.SERVER;
    }

    /** Starts a server that the caller may break, and closes. */
    public static MySqlServer start() {
        Backend.MYSQL.requireOwnServer();
        return new MySqlServer(false);
    }

    @Override
    DataSource open(String url, String user, String password) {
        MysqlDataSource dataSource = new MysqlDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    private static final class Shared {

        static final DatabaseServer SERVER = NamedServer.of("mysql").orElseGet(() -> new MySqlServer(true));
    }
}
