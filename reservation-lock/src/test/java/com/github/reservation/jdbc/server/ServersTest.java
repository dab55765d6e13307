// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.SideBySide;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The servers do what tests ask of them, and leave nothing behind. */
@SideBySide
class ServersTest {

    private static Stream<Named<Supplier<DatabaseServer>>> shared() {
        return Stream.of(Named.of("PostgreSQL", PostgresServer::shared), Named.of("MariaDB", MariaDbServer::shared),
                Named.of("MySQL", MySqlServer::shared));
    }

    private static Stream<Named<Supplier<DatabaseServer>>> ownServers() {
        return Stream.of(Named.of("PostgreSQL", PostgresServer::start), Named.of("MariaDB", MariaDbServer::start),
                Named.of("MySQL", MySqlServer::start), Named.of("H2", H2Server::start));
    }

    @ParameterizedTest
    @MethodSource("shared")
    void answers(Supplier<DatabaseServer> shared) throws SQLException {
        assertThat(query(shared.get().dataSource(), "SELECT 1")).isEqualTo("1");
    }

    @ParameterizedTest
    @MethodSource("shared")
    void theSharedServerIsNotForBreaking(Supplier<DatabaseServer> shared) throws SQLException {
        DatabaseServer server = shared.get();
        assertThatIllegalStateException().isThrownBy(server::kill);
        assertThatIllegalStateException().isThrownBy(server::freeze);
        server.close();

        assertThat(query(server.dataSource(), "SELECT 1")).isEqualTo("1");
    }

    @ParameterizedTest
    @MethodSource("shared")
    void databasesDoNotSeeEachOther(Supplier<DatabaseServer> shared) throws SQLException {
        DatabaseServer server = shared.get();
        Database one = server.newDatabase();
        Database other = server.newDatabase();

        execute(one.dataSource(), "CREATE TABLE t (n INT)");

        assertThat(query(one.dataSource(), "SELECT COUNT(*) FROM t")).isEqualTo("0");
        assertThatThrownBy(() -> query(other.dataSource(), "SELECT COUNT(*) FROM t")).isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @MethodSource("ownServers")
    void committedDataSurvivesKillAndRestart(Supplier<DatabaseServer> start) throws SQLException {
        try (DatabaseServer server = start.get()) {
            DataSource database = server.newDatabase().dataSource();
            execute(database, "CREATE TABLE t (n INT)");
            execute(database, "INSERT INTO t VALUES (42)");

            try (Connection open = database.getConnection()) {
                server.kill();

                assertThatThrownBy(() -> query(open, "SELECT 1")).isInstanceOf(SQLException.class);
                assertThatThrownBy(database::getConnection).isInstanceOf(SQLException.class);
            }
            server.restart();

            assertThat(query(database, "SELECT n FROM t")).isEqualTo("42");
        }
    }

    @ParameterizedTest
    @MethodSource("ownServers")
    void aFrozenServerAnswersWhenThawed(Supplier<DatabaseServer> start) throws Exception {
        try (DatabaseServer server = start.get(); Connection open = server.dataSource().getConnection()) {
            server.freeze();
            CompletableFuture<String> onOpen = later(() -> query(open, "SELECT 1"));
            CompletableFuture<String> onNew = later(() -> query(server.dataSource(), "SELECT 1"));

            await().during(Duration.ofMillis(500)).until(() -> !onOpen.isDone() && !onNew.isDone());
            server.thaw();

            assertThat(onOpen.get(30, TimeUnit.SECONDS)).isEqualTo("1");
            assertThat(onNew.get(30, TimeUnit.SECONDS)).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsLeftWhenTheJvmIsKilled(boolean frozen, @TempDir Path temp) throws Exception {
        Backend.POSTGRESQL.requireOwnServer();
        Backend.MARIADB.requireOwnServer();
        Process jvm = new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(), "-cp", System.getProperty("java.class.path"),
                "-Djava.io.tmpdir=" + temp, Abandoned.class.getName(), Boolean.toString(frozen))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(jvm.inputReader().readLine()).isEqualTo("started");
        List<ProcessHandle> family = jvm.descendants().toList();
        // Two guards, one process of MariaDB, several of PostgreSQL.
        assertThat(family).hasSizeGreaterThan(5);
        assertThat(temp).isNotEmptyDirectory();

        jvm.destroyForcibly();

        await().untilAsserted(() -> assertThat(family).noneMatch(ProcessHandle::isAlive));
        // A thousand files: on a busy disk that takes its time.
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(temp).isEmptyDirectory());
    }

    /** A JVM that starts one server of each kind and waits for its end. */
    static final class Abandoned {

        private Abandoned() {}

        public static void main(String[] args) throws InterruptedException {
            List<DatabaseServer> servers = List.of(PostgresServer.start(), MariaDbServer.start());
            if (Boolean.parseBoolean(args[0])) {
                servers.forEach(DatabaseServer::freeze);
            }
            System.out.println("started");
            Thread.sleep(Duration.ofMinutes(5));
        }
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return query(connection, sql);
        }
    }

    private static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private static CompletableFuture<String> later(Callable<String> query) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return query.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }, Thread::startVirtualThread);
    }
}
