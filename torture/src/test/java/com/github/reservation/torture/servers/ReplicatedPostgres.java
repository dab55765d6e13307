// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import static com.github.reservation.torture.nemesis.FaultKind.between;

import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.torture.nemesis.Fault;
import com.github.reservation.torture.nemesis.FaultKind;
import com.github.reservation.torture.wire.Link;
import com.github.reservation.torture.wire.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * PostgreSQL with a streaming standby, which takes over when the primary dies. A new standby follows each time.
 *
 * <p>If it is asynchronous, the standby may lag: what was committed meanwhile is lost, although the primary had said yes. If it is
 * synchronous, nothing that was said to be committed is lost: until a new primary has its standby, no other fault strikes the server.
 */
final class ReplicatedPostgres implements Primary {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final boolean synchronous;
    private final Link replication = new Link();
    private final String name;
    private volatile PostgresServer primary;
    private PostgresServer standby;
    private Proxy between;
    private volatile Database database;
    private volatile IntConsumer listener = port -> {};

    ReplicatedPostgres(boolean synchronous) {
        this.synchronous = synchronous;
        primary = PostgresServer.start();
        database = primary.newDatabase();
        name = database.url().replaceFirst(".*/", "");
        addStandby();
    }

    private void addStandby() {
        replication.heal();
        between = new Proxy(primary.port(), replication);
        standby = primary.standby(between.port());
        if (synchronous) {
            execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
            execute("SELECT pg_reload_conf()");
        }
        awaitStandby(synchronous ? "sync" : "async");
    }

    private void execute(String sql) {
        try (Connection connection = primary.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Could not " + sql, e);
        }
    }

    private void awaitStandby(String state) {
        long start = System.nanoTime();
        while (!states().equals(state)) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("The standby does not stream: " + states());
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private String states() {
        try (Connection connection = primary.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'")) {
            return result.next() ? result.getString(1) : "none";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Product product() {
        return Product.POSTGRESQL;
    }

    @Override
    public int port() {
        return primary.port();
    }

    @Override
    public Database database() {
        return database;
    }

    @Override
    public void onMove(IntConsumer listener) {
        this.listener = listener;
    }

    @Override
    public List<FaultKind> faults() {
        return List.of(
                new FaultKind("fail-over", 15, random -> {
                    // A synchronous primary would wait for the standby, and nobody could get anything.
                    Duration lag = synchronous || random.nextInt(3) == 0 ? Duration.ZERO : between(random, 200, 1500);
                    return Fault.of("server", lag, replication::stall, this::failOver)
                            .saying("lag", lag.toMillis());
                }),
                new FaultKind("server-freeze", 1,
                        random -> Fault.of("server", between(random, 500, 5000),
                                () -> primary.freeze(), () -> primary.thaw())));
    }

    /** Kills the primary and promotes the standby. Returns when the new primary has a standby. */
    void failOver() {
        PostgresServer dead = primary;
        dead.kill();
        between.close();
        standby.promote();
        primary = standby;
        database = primary.database(name);
        listener.accept(primary.port());
        dead.close();
        addStandby();
    }

    @Override
    public void close() {
        between.close();
        standby.close();
        primary.close();
    }
}
