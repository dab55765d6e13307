// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows what nodes that want the same key do to one another: how long a hand-over takes, how evenly they are served, how long
 * a crowd takes and what it asks of the database. Each node is a manager with a pool of its own.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@contention}.
 */
public final class ContentionHarness implements AutoCloseable {

    private static final String KEY = "42";

    private final String url;
    private final String user;
    private final boolean notified;
    private final List<AutoCloseable> opened = new ArrayList<>();

    private ContentionHarness(String url, String user, boolean notified) {
        this.url = url;
        this.user = user;
        this.notified = notified;
    }

    public static void main(String[] args) throws Exception {
        List<String> only = List.of(args);
        if (only.isEmpty() || only.contains("postgresql")) {
            try (PostgresServer server = PostgresServer.start()) {
                measure("PostgreSQL, called", server.url(), server.user(), "postgresql", true);
                measure("PostgreSQL", server.url(), server.user(), "postgresql", false);
            }
        }
        if (only.isEmpty() || only.contains("mariadb")) {
            try (MariaDbServer server = MariaDbServer.start()) {
                measure("MariaDB", server.newDatabase().url(), server.user(), "mariadb", false);
            }
        }
        if (only.isEmpty() || only.contains("h2")) {
            measure("H2 in memory", "jdbc:h2:mem:contention;DB_CLOSE_DELAY=-1", "sa", "h2", false);
        }
    }

    private static void measure(String name, String url, String user, String ddl, boolean notified) throws Exception {
        System.out.println(name);
        try (HikariDataSource pool = JdbcBackend.pool(url, user, "")) {
            JdbcBackend.install(pool, ddl);
        }
        try (ContentionHarness harness = new ContentionHarness(url, user, notified)) {
            harness.handOvers(200);
            harness.handOvers(200).print("  hand-over, the other one waits already, ms");
            harness.turns(Duration.ofSeconds(2), false);
            for (int i = 0; i < 3; i++) {
                harness.turns(Duration.ofSeconds(4), true);
            }
            harness.atPostgreSql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
            harness.crowd(false);
            for (int i = 0; i < 5; i++) {
                harness.crowd(true);
            }
        }
    }

    /** Times in milliseconds, sorted. */
    private record Times(double[] sorted) {

        void print(String what) {
            System.out.printf(
                    Locale.ROOT,
                    "%s: p50 %.2f, p99 %.2f, longest %.2f%n",
                    what,
                    sorted[sorted.length / 2],
                    sorted[sorted.length * 99 / 100],
                    sorted[sorted.length - 1]);
        }
    }

    private ReservationManager node() {
        HikariDataSource pool = JdbcBackend.pool(url, user, "");
        pool.setMaximumPoolSize(4);
        opened.add(pool);
        JdbcReservationManagerBuilder builder = ReservationManager.jdbc(pool).domain("contention");
        if (notified) {
            HikariDataSource calls = JdbcBackend.pool(url, user, "");
            calls.setMaximumPoolSize(1);
            opened.add(calls);
            builder.notifications(calls);
        }
        ReservationManager node = builder.build();
        node.getReservation("warm").lock();
        node.getReservation("warm").unlock();
        opened.add(node);
        return node;
    }

    private Times handOvers(int count) throws Exception {
        Reservation here = node().getReservation(KEY);
        Reservation there = node().getReservation(KEY);
        Thread.sleep(500); // Until they can be called.
        double[] millis = new double[count];
        for (int i = 0; i < count; i++) {
            here.lock();
            AtomicLong got = new AtomicLong();
            Thread waiter = Thread.ofPlatform().start(() -> {
                there.lock();
                got.set(System.nanoTime());
                there.unlock();
            });
            Thread.sleep(30);
            long start = System.nanoTime();
            here.unlock();
            waiter.join();
            millis[i] = (got.get() - start) / 1e6;
        }
        Arrays.sort(millis);
        return new Times(millis);
    }

    private void turns(Duration duration, boolean print) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger last = new AtomicInteger(-1);
        AtomicInteger changes = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        int[] served = new int[2];
        long[] longest = new long[2];
        List<Reservation> reservations = List.of(node().getReservation(KEY), node().getReservation(KEY));
        Thread.sleep(500); // Until they can be called.
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            int me = i;
            Reservation reservation = reservations.get(i);
            threads.add(Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    long asked = System.nanoTime();
                    reservation.lock();
                    longest[me] = Math.max(longest[me], System.nanoTime() - asked);
                    if (inside.incrementAndGet() != 1) {
                        overlaps.incrementAndGet();
                    }
                    if (last.getAndSet(me) != me) {
                        changes.incrementAndGet();
                    }
                    served[me]++;
                    LockSupport.parkNanos(1_000_000);
                    inside.decrementAndGet();
                    reservation.unlock();
                }
            }));
        }
        Thread.sleep(duration);
        over.set(true);
        double seconds = (System.nanoTime() - start) / 1e9;
        for (Thread thread : threads) {
            thread.join();
        }
        if (print) {
            System.out.printf(
                    Locale.ROOT,
                    "  two nodes in a loop: %.0f changes/s, share %.2f, longest wait %.1f ms, overlaps %d%n",
                    changes.get() / seconds,
                    served[0] / (double) (served[0] + served[1]),
                    Math.max(longest[0], longest[1]) / 1e6,
                    overlaps.get());
        }
    }

    private void crowd(boolean print) throws Exception {
        int nodes = 4;
        int each = 25;
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            ReservationManager node = node();
            for (int j = 0; j < each; j++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    Reservation reservation = node.getReservation("crowd");
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    reservation.lock();
                    reservation.unlock();
                }));
            }
        }
        Thread.sleep(500);
        atPostgreSql("SELECT pg_stat_statements_reset()");
        long start = System.nanoTime();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        double millis = (System.nanoTime() - start) / 1e6;
        if (print) {
            System.out.printf(
                    Locale.ROOT, "  4 nodes of 25 threads, each once: %.0f ms%s%n", millis, statements(nodes * each));
        }
    }

    private void atPostgreSql(String sql) throws SQLException {
        if (isPostgreSql()) {
            try (Connection connection = DriverManager.getConnection(url, user, "");
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    /** Says which statements the server has counted for each holder, where it counts them. */
    private String statements(int holders) throws SQLException {
        if (!isPostgreSql()) {
            return "";
        }
        StringBuilder said = new StringBuilder(", statements per holder:");
        try (Connection connection = DriverManager.getConnection(url, user, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        SELECT CASE WHEN query LIKE '%fence + %' THEN 'acquire'
                                WHEN query LIKE 'SELECT%' THEN 'look'
                                ELSE 'release' END AS kind,
                            SUM(calls)
                        FROM pg_stat_statements
                        WHERE query LIKE '%RESERVATION_LOCKS%'
                        GROUP BY kind
                        ORDER BY kind
                        """)) {
            while (rows.next()) {
                said.append(String.format(
                        Locale.ROOT, " %s %.2f", rows.getString(1), rows.getLong(2) / (double) holders));
            }
        }
        return said.toString();
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
