// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import static com.github.reservation.benchmark.runner.Contender.OURS;
import static com.github.reservation.benchmark.runner.Contender.all;

import com.github.reservation.ReservationManager;
import com.github.reservation.benchmark.runner.SessionLock.Functions;
import com.github.reservation.harness.RowLock;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** A database. Nodes have pools of their own, and all contenders their tables. */
final class SqlStore implements Store {

    private static final String RAW = "RAW_LOCKS";
    private static final int THREADS = 16;

    private final String name;
    private final String ddl;
    private final String url;
    private final String user;
    private final AutoCloseable server;
    private final HikariDataSource pool;

    private SqlStore(String name, String ddl, String peerDdl, String url, String user, AutoCloseable server) {
        this.name = name;
        this.ddl = ddl;
        this.url = url;
        this.user = user;
        this.server = server;
        this.pool = JdbcBackend.pool(url, user, "");
        JdbcBackend.install(pool, ddl);
        JdbcBackend.execute(pool, Ddl.of(ddl).replaceAll("(?i)reservation_locks", RAW));
        JdbcBackend.execute(pool, ShedLock.ddl(ddl.equals("mariadb") ? "TIMESTAMP(3)" : "TIMESTAMP"));
        new ResourceDatabasePopulator(
                new ClassPathResource("org/springframework/integration/jdbc/schema-" + peerDdl + ".sql")).execute(pool);
        if (ddl.equals("postgresql")) {
            JdbcBackend.execute(pool, "CREATE EXTENSION pg_stat_statements");
        }
    }

    static SqlStore postgreSql(DatabaseServer server) {
        return new SqlStore("PostgreSQL", "postgresql", "postgresql", server.newDatabase().url(), server.user(),
                server);
    }

    static SqlStore mariaDb(DatabaseServer server) {
        return new SqlStore("MariaDB", "mariadb", "mysql",
                server.newDatabase().url() + "?useServerPrepStmts=true", server.user(), server);
    }

    static SqlStore h2() {
        return new SqlStore("H2 in memory", "h2", "h2", "jdbc:h2:mem:sidebyside;DB_CLOSE_DELAY=-1", "sa", () -> {});
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public List<Contender> contenders() {
        // Embedded: there are no nodes that could want the same key.
        boolean nodes = !ddl.equals("h2");
        Set<Measure> waiting = nodes
                ? all(Measure.CONTENDED, Set.of(Measure.TAKE_OVER, Measure.STEADY))
                : EnumSet.noneOf(Measure.class);
        List<Contender> contenders = new ArrayList<>();
        boolean postgreSql = ddl.equals("postgresql");
        contenders.add(Contender.of(OURS,
                "without options" + (postgreSql ? ": an unlock does not wait for the disk" : ""),
                all(Measure.UNCONTENDED, waiting),
                onPool(node -> Node.of(ReservationManager.jdbc(node).domain("benchmark").build(), node))));
        if (postgreSql) {
            contenders.add(Contender.of(OURS + " with durable release", "durableRelease(true), else without options",
                    Measure.UNCONTENDED,
                    onPool(node -> Node.of(
                            ReservationManager.jdbc(node).domain("durable").durableRelease(true).build(), node))));
            contenders.add(Contender.of(OURS + " with notifications", "notifications(pool), else without options",
                    waiting,
                    onPool(node -> Node.of(
                            ReservationManager.jdbc(node).domain("notified").notifications(node).build(), node))));
        }
        contenders.add(Contender.of(SpringIntegration.JDBC, SpringIntegration.JDBC_SETUP,
                all(Measure.UNCONTENDED, waiting), onPool(SpringIntegration::onJdbc)));
        contenders.add(Contender.of(ShedLock.NAME, ShedLock.ON_JDBC, Measure.UNCONTENDED,
                onPool(node -> ShedLock.onJdbc(node, node))));
        if (nodes) {
            Functions functions = ddl.equals("mariadb") ? SessionLock.GET_LOCK : SessionLock.PG_ADVISORY_LOCK;
            contenders.add(new Contender(functions.name(),
                    "a connection of its pool for each thread that holds or waits",
                    all(Measure.UNCONTENDED, Measure.CONTENDED),
                    Measure.CONTENDED,
                    onPool(node -> Node.withoutLeases(key -> new SessionLock(node, functions, key), node))));
        }
        contenders.add(Contender.limit("two updates of a row", "by hand, each in autocommit",
                EnumSet.of(Measure.SAME_KEY, Measure.DISTINCT_KEYS),
                onPool(node -> Node.withoutLeases(key -> Key.of(RowLock.onRow(node, RAW, key)), node))));
        contenders.add(Contender.limit("insert and update of a row", "by hand, each in autocommit",
                EnumSet.of(Measure.NEW_KEYS),
                onPool(node -> Node.withoutLeases(key -> Key.of(RowLock.onNewRow(node, RAW, key)), node))));
        return contenders;
    }

    /** Makes a node on connections of its own. */
    @FunctionalInterface
    private interface OnPool {
        Node open(HikariDataSource pool) throws Exception;
    }

    private Node.Factory onPool(OnPool factory) {
        return connections -> {
            HikariDataSource node = JdbcBackend.pool(url, user, "");
            node.setMaximumPoolSize(connections);
            return factory.open(node);
        };
    }

    /** Leaves the rows that the limit updates, and those that ShedLock does: it remembers which ones it has inserted. */
    @Override
    public void startOver() {
        for (String table : List.of("RESERVATION_LOCKS", RAW, "INT_LOCK", ShedLock.TABLE)) {
            JdbcBackend.execute(pool, "TRUNCATE TABLE " + table);
        }
        for (int thread = 0; thread < THREADS; thread++) {
            String key = "same-" + thread;
            JdbcBackend.execute(pool,
                    "INSERT INTO " + RAW + " (holder, reservation_key, acquired_at, expires_at, fence)"
                            + " VALUES ('nobody', '" + key
                            + "', TIMESTAMP '2026-01-01 00:00:00', TIMESTAMP '2026-01-01 00:00:00', 1)");
            JdbcBackend.execute(pool, ShedLock.insertFree(key));
        }
    }

    @Override
    public int warmUpRounds() {
        return ddl.equals("h2") ? 8 : 2;
    }

    @Override
    public OptionalLong statements() throws SQLException {
        return switch (ddl) {
            case "postgresql" -> query("""
                    SELECT CAST(COALESCE(SUM(calls), 0) AS BIGINT)
                    FROM pg_stat_statements
                    WHERE query ILIKE '%RESERVATION_LOCKS%' OR query ILIKE '%INT_LOCK%' OR query ILIKE '%pg_advisory%'
                    """);
            case "mariadb" -> query("""
                    SELECT variable_value
                    FROM information_schema.global_status
                    WHERE variable_name = 'questions'
                    """);
            default -> OptionalLong.empty();
        };
    }

    private OptionalLong query(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return OptionalLong.of(row.getLong(1));
        }
    }

    @Override
    public void close() throws Exception {
        pool.close();
        server.close();
    }
}
