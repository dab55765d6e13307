// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * Two nodes on a server of their own, which a test may kill, start again, or freeze.
 *
 * <p>A frozen server keeps its connections and does not answer. A query timeout does not help then: on MariaDB the server
 * itself enforces it, on PostgreSQL the driver asks the server to cancel. So the URLs set timeouts of the driver, and users
 * should do the same: {@code socketTimeout}, a little longer than the query timeout, and on PostgreSQL
 * {@code cancelSignalTimeout}, because the statement waits for its cancellation. The pool's {@code connectionTimeout}
 * bounds the rest.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnCrashingServer {

    static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(2);
    static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(1);

    DatabaseServer server;
    ReservationManager manager;
    ReservationManager otherNode;
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final List<ReservationManager> nodes = new ArrayList<>();
    private Database database;

    abstract DatabaseServer start();

    abstract String ddl();

    abstract String urlParameters();

    @BeforeAll
    void startServer() {
        server = start();
        database = server.newDatabase();
        JdbcBackend.execute(database.dataSource(), Ddl.of(ddl()));
    }

    @AfterAll
    void closeServer() {
        server.close();
    }

    @BeforeEach
    void openNodes() {
        JdbcBackend.execute(database.dataSource(), "DELETE FROM RESERVATION_LOCKS");
        manager = node(LEASE);
        otherNode = node(LEASE);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : toClose.reversed()) {
            closeable.close();
        }
        toClose.clear();
        nodes.clear();
    }

    /** Opens one more node, with its own pool. */
    ReservationManager node(Duration lease) {
        HikariDataSource pool =
                JdbcBackend.pool(database.url() + urlParameters(), database.user(), database.password());
        pool.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        pool.setValidationTimeout(500);
        toClose.add(pool);
        ReservationManager node = ReservationManager.jdbc(pool)
                .domain("orders")
                .leaseTime(lease)
                .queryTimeout(QUERY_TIMEOUT)
                .build();
        toClose.add(node);
        nodes.add(node);
        return node;
    }

    /**
     * Starts the server again, and waits until it answers each node. The pools are slower than the server: after each
     * failed attempt HikariCP pauses twice as long, up to five seconds, and until then it throws the last failure.
     */
    void restart() {
        server.restart();
        for (ReservationManager node : nodes) {
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> node.listReservations() != null);
        }
    }

    /** Asserts that the store knows another holder. A refusal alone proves nothing: without a store it is the same. */
    static void assertRefused(Reservation reservation) {
        assertThat(reservation.tryLock()).isFalse();
        assertThat(reservation.isLocked()).isTrue();
    }

    Actor actor(String name) {
        Actor actor = new Actor(name);
        toClose.add(actor);
        return actor;
    }
}
