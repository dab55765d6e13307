// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.worker;

import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.github.reservation.torture.claims.ClaimWorkload;
import com.github.reservation.torture.events.EventWorkload;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.locks.LockWorkload;
import com.github.reservation.torture.planted.BrokenLocks;
import com.github.reservation.torture.planted.Planted;
import com.github.reservation.torture.servers.Access;
import com.github.reservation.torture.stock.StockWorkload;
import com.hazelcast.core.HazelcastInstance;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that uses the library with all its might, and takes orders from its standard input. What it needs are system properties. */
public final class Worker {

    /** The domain of the locks. */
    public static final String DOMAIN = "torture";

    private static final Duration LEASE = Duration.ofSeconds(2);
    /** For how long the library's own threads may live on: ten seconds, without work. If it is zero, nobody looks. */
    private static final Duration LINGER = Duration.ofSeconds(Integer.getInteger("linger"));

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Journal journal = new Journal(Path.of(text("journal")));
    private final Optional<Planted> planted = Planted.named(System.getProperty("planted", ""));
    private final Optional<HikariDataSource> pool;
    private final Crew crew;
    private Thread greed;

    private Worker() {
        ReservationManager locks = switch (Access.of(text("access"))) {
            case Access.Database database -> {
                pool = Optional.of(openPool(database));
                yield onDatabase(database, pool.get());
            }
            case Access.Cluster cluster -> {
                pool = Optional.empty();
                yield onHazelcast(cluster);
            }
        };
        Setting setting = new Setting(text("worker"), pool.map(DataSource.class::cast), locks, journal, planted);
        crew = new Crew(workloads(setting), Long.getLong("seed"), journal);
    }

    private static String text(String property) {
        return Optional.ofNullable(System.getProperty(property))
                .orElseThrow(() -> new IllegalStateException("-D" + property + " is missing"));
    }

    private static HikariDataSource openPool(Access.Database database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword("");
        pool.setMaximumPoolSize(16);
        pool.setMinimumIdle(4);
        pool.setConnectionTimeout(1_000);
        pool.setValidationTimeout(500);
        pool.setInitializationFailTimeout(-1);
        if (database.ddl().equals("h2")) {
            // The pool does not know H2's word for a dead connection, and hands it out as long as it is asked for often.
            System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
        }
        return pool;
    }

    private ReservationManager onDatabase(Access.Database database, DataSource dataSource) {
        ReservationManager manager = planted
                .map(bug -> BrokenLocks.manager(
                        bug == Planted.CONNECTION_KEPT ? BrokenLocks.keeping(dataSource) : dataSource,
                        DOMAIN, LEASE, bug))
                .orElseGet(() -> builder(database, dataSource)
                        .domain(DOMAIN)
                        .leaseTime(LEASE)
                        .queryTimeout(Duration.ofSeconds(1))
                        .build());
        opened.add(manager);
        return manager;
    }

    private static JdbcReservationManagerBuilder builder(Access.Database database, DataSource dataSource) {
        JdbcReservationManagerBuilder builder = ReservationManager.jdbc(dataSource);
        if (!Boolean.getBoolean("notifications") || !database.ddl().equals("postgresql")) {
            return builder;
        }
        PGSimpleDataSource sessions = new PGSimpleDataSource();
        sessions.setURL(database.url());
        sessions.setUser(database.user());
        return builder.notifications(sessions);
    }

    private ReservationManager onHazelcast(Access.Cluster cluster) {
        HazelcastInstance client = cluster.connect();
        opened.add(client::shutdown);
        ReservationManager manager =
                ReservationManager.hazelcast(client).domain(DOMAIN).leaseTime(LEASE).build();
        opened.add(manager);
        return manager;
    }

    private List<Workload> workloads(Setting setting) {
        return Stream.of(text("workloads").split(",")).map(name -> switch (name) {
            case "locks" -> (Workload) new LockWorkload(setting, Integer.getInteger("judge"));
            case "claims" -> new ClaimWorkload(setting);
            case "stock" -> new StockWorkload(setting);
            case "events" -> new EventWorkload(setting);
            default -> throw new IllegalArgumentException("There is no workload " + name);
        }).toList();
    }

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        worker.crew.start();
        System.out.println("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            System.out.println(worker.answer(order.split(" ")));
        }
        Runtime.getRuntime().halt(0);
    }

    /** Answers each order, whatever happens: somebody waits for it. */
    private String answer(String[] order) {
        try {
            return obey(order);
        } catch (Exception | Error e) {
            e.printStackTrace();
            journal.notes("defect", order[0], "error", e);
            return "failed";
        }
    }

    private String obey(String[] order) throws Exception {
        return switch (order[0]) {
            case "exhaust" -> exhaust();
            case "give-back" -> giveBack();
            case "stop" -> stop();
            default -> throw new IllegalArgumentException("No such order: " + order[0]);
        };
    }

    /** Takes all connections of the pool that it can get, until it is told to give them back. */
    private String exhaust() {
        pool.ifPresent(connections -> {
            greed = Thread.ofPlatform().daemon().unstarted(() -> hold(connections));
            greed.start();
        });
        return "exhausted";
    }

    private String giveBack() throws InterruptedException {
        if (greed != null) {
            greed.interrupt();
            greed.join();
        }
        return "given back";
    }

    private static void hold(HikariDataSource connections) {
        List<Connection> taken = new ArrayList<>();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                taken.add(connections.getConnection()); // Waits for a second at most, if others have them all.
            } catch (SQLException e) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        for (Connection connection : taken) {
            try {
                connection.close();
            } catch (SQLException e) {
                // It is broken: the pool has noticed.
            }
        }
    }

    /** Ends all work, closes everything, and says what is left. */
    private String stop() throws Exception {
        List<String> stuck = crew.stop();
        int connections = pool.map(one -> one.getHikariPoolMXBean().getActiveConnections()).orElse(0);
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
        long end = System.nanoTime() + LINGER.toNanos();
        while (!ourThreads().isEmpty() && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        List<String> threads = LINGER.isZero() ? List.of() : ourThreads();
        journal.notes("left", "-", "connections", connections, "threads", threads, "stuck", stuck);
        pool.ifPresent(HikariDataSource::close);
        journal.close();
        return "stopped";
    }

    private static List<String> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("reservation-"))
                .sorted()
                .toList();
    }
}
