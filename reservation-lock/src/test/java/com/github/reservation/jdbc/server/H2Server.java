// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * H2 in a JVM of its own, with databases in files. Each commit is written before it returns; by default, a kill takes along those of the
 * last half second.
 */
public final class H2Server implements DatabaseServer {

    private static final String USER = "sa";

    private final int port;
    private final RunningServer server;
    private final AtomicInteger databases = new AtomicInteger();

    private H2Server(Path directory) {
        port = Ports.free();
        server = new RunningServer(directory, command(directory, port), dataSource(), false);
    }

    /** Starts a server that the caller may break, and closes. */
    public static H2Server start() {
        Backend.H2.requireOwnServer();
        try {
            return new H2Server(Files.createTempDirectory("reservation-server"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path directory, int port) {
        return List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-Dh2.bindAddress=127.0.0.1",
                "-classpath",
                ChildJvm.classPath().filter(entry -> entry.matches(".*/h2-[0-9.]+\\.jar")).findFirst().orElseThrow(),
                "org.h2.tools.Server",
                "-tcp", "-tcpPort", Integer.toString(port),
                "-baseDir", directory.toString(), "-ifNotExists");
    }

    private String url(String database) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./" + database + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
    }

    private DataSource open(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser(USER);
        dataSource.setPassword(password());
        return dataSource;
    }

    public int port() {
        return port;
    }

    @Override
    public String url() {
        return url("test");
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public DataSource dataSource() {
        return open(url());
    }

    @Override
    public Database newDatabase() {
        String url = url("test_" + databases.incrementAndGet());
        return new Database(url, USER, password(), open(url));
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
