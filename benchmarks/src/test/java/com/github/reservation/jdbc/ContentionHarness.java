// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.harness.Figures;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Shows what nodes that want the same key do to one another, side by side with Spring Integration: how many locks two nodes get and
 * how often the node changes, how long a hand-over takes, how long a crowd takes and what it asks of the database.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@contention}; {@code -Drounds=3} makes it shorter, and
 * {@code -Dcontention=mariadb} runs it on one database.
 */
public final class ContentionHarness implements AutoCloseable {

    private static final String PEER = "Spring Integration";
    private static final int NODES = 4;
    private static final int WAITING_NODES = 50;
    private static final Duration LOOP = Duration.ofSeconds(2);
    private static final Duration STEADY = Duration.ofSeconds(5);

    private final String url;
    private final String user;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<String, List<ContendingNode>> contenders = new LinkedHashMap<>();
    private int keys;

    private ContentionHarness(String url, String user) {
        this.url = url;
        this.user = user;
    }

    public static void main(String[] args) throws Exception {
        List<String> databases = List.of(args[0].split(","));
        int rounds = Integer.parseInt(args[1]);
        if (databases.contains("postgresql")) {
            try (PostgresServer server = PostgresServer.start();
                    ContentionHarness harness = new ContentionHarness(server.url(), server.user())) {
                harness.run("postgresql", "postgresql", rounds);
            }
        }
        if (databases.contains("mariadb")) {
            try (MariaDbServer server = MariaDbServer.start();
                    ContentionHarness harness = new ContentionHarness(server.newDatabase().url(), server.user())) {
                harness.run("mariadb", "mysql", rounds);
            }
        }
    }

    private void run(String ddl, String peerDdl, int rounds) throws Exception {
        try (HikariDataSource pool = JdbcBackend.pool(url, user, "")) {
            JdbcBackend.install(pool, ddl);
            new ResourceDatabasePopulator(
                    new ClassPathResource("org/springframework/integration/jdbc/schema-" + peerDdl + ".sql"))
                    .execute(pool);
        }
        open("reservation-lock", ContendingNode::polling);
        if (isPostgreSql()) {
            query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
            open("reservation-lock, notifications", ContendingNode::notified);
        }
        open(PEER, ContendingNode::spring);
        round(new Figures(PEER)); // Until the JVM has compiled what is measured.
        Figures figures = new Figures(PEER);
        for (int i = 0; i < rounds; i++) {
            round(figures);
        }
        System.out.printf(Locale.ROOT, "%s, %d rounds%n", ddl, rounds);
        figures.print();
        System.out.printf(
                Locale.ROOT, "  %d nodes wait for a held key, statements/s: %.0f%n", WAITING_NODES, steadyState());
    }

    private void open(String contender, ContendingNode.Factory factory) throws Exception {
        List<ContendingNode> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(open(factory));
        }
        contenders.put(contender, nodes);
    }

    private ContendingNode open(ContendingNode.Factory factory) throws Exception {
        HikariDataSource pool = JdbcBackend.pool(url, user, "");
        pool.setMaximumPoolSize(4);
        opened.add(pool);
        ContendingNode node = factory.open(pool);
        opened.add(node);
        node.lock("warm").lock();
        node.lock("warm").unlock();
        return node;
    }

    private void round(Figures figures) throws Exception {
        for (Map.Entry<String, List<ContendingNode>> contender : contenders.entrySet()) {
            String name = contender.getKey();
            Contention contention = new Contention(contender.getValue(), "key " + keys++);
            Contention.Loop loop = contention.loop(2, LOOP);
            figures.add("2 nodes with 1 ms of work: locks/s", name, loop.locksPerSecond());
            figures.add("the same, changes of node/s", name, loop.changesPerSecond());
            figures.add("the same, longest wait, ms", name, loop.longestWait());
            figures.add("hand-over after 30 ms, p50, ms", name, contention.handOver(20));
            long before = statements();
            figures.add("crowd of 4 nodes of 25 threads, ms", name, contention.crowd(25));
            figures.add("the same, statements per holder", name, (statements() - before) / 100.0);
        }
    }

    /** Returns how many statements a second the database gets while many nodes wait for a key that stays held. */
    private double steadyState() throws Exception {
        ContendingNode holder = open(ContendingNode::polling);
        holder.lock("held").lock();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING_NODES; i++) {
            ContendingNode node = open(ContendingNode::polling);
            waiting.add(Thread.ofPlatform().start(() -> {
                node.lock("held").lock();
                node.lock("held").unlock();
            }));
        }
        Thread.sleep(STEADY);
        long before = statements();
        Thread.sleep(STEADY);
        double statements = (statements() - before) / (double) STEADY.toSeconds();
        holder.lock("held").unlock();
        for (Thread thread : waiting) {
            thread.join();
        }
        return statements;
    }

    /** Returns how many statements the server has counted; on PostgreSQL without those that begin or end a transaction. */
    private long statements() throws SQLException {
        return isPostgreSql()
                ? query("""
                        SELECT CAST(COALESCE(SUM(calls), 0) AS BIGINT)
                        FROM pg_stat_statements
                        WHERE query ILIKE '%RESERVATION_LOCKS%' OR query ILIKE '%INT_LOCK%'
                        """)
                : query("""
                        SELECT variable_value
                        FROM information_schema.global_status
                        WHERE variable_name = 'questions'
                        """);
    }

    private long query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, "");
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return 0;
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private boolean isPostgreSql() {
        return url.startsWith("jdbc:postgresql:");
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable closeable : opened.reversed()) {
            closeable.close();
        }
    }
}
