// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import com.github.reservation.ReservationManager;
import com.github.reservation.claim.Claims;
import com.github.reservation.hazelcast.TestInstances;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.JdbcBackend;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.memory.InMemoryStore;
import com.hazelcast.core.HazelcastInstance;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A store that a benchmark names, in a state as a user has it: nodes share the store, and a pool of 16 connections. */
record OpenStore(Supplier<ReservationManager> nodes, Optional<HikariDataSource> pool, AutoCloseable end)
        implements AutoCloseable {

    private static final String DOMAIN = "benchmark";
    private static final Duration LEASE = Duration.ofMinutes(10);

    /** Opens the store; a server is the one that a system property names, else one of its own. */
    static OpenStore of(String name) {
        return switch (name) {
            case "memory" -> inMemory(new InMemoryStore());
            case "h2" -> jdbc("jdbc:h2:mem:benchmark;DB_CLOSE_DELAY=-1", "sa", "", name);
            case "postgresql" -> jdbc(PostgresServer.shared().newDatabase(), "", name);
            case "mariadb" -> jdbc(MariaDbServer.shared().newDatabase(), "?useServerPrepStmts=true", name);
            case "hazelcast" -> hazelcast(TestInstances.member());
            default -> throw new IllegalArgumentException("backend must be memory, h2, postgresql, mariadb or "
                    + "hazelcast, but is " + name);
        };
    }

    private static OpenStore inMemory(InMemoryStore store) {
        return new OpenStore(
                () -> ReservationManager.inMemory(store).domain(DOMAIN).leaseTime(LEASE).build(),
                Optional.empty(), () -> {});
    }

    private static OpenStore hazelcast(HazelcastInstance member) {
        return new OpenStore(
                () -> ReservationManager.hazelcast(member).domain(DOMAIN).leaseTime(LEASE).build(),
                Optional.empty(), member::shutdown);
    }

    private static OpenStore jdbc(Database database, String parameters, String ddl) {
        return jdbc(database.url() + parameters, database.user(), database.password(), ddl);
    }

    private static OpenStore jdbc(String url, String user, String password, String ddl) {
        HikariDataSource pool = JdbcBackend.pool(url, user, password);
        pool.setMaximumPoolSize(16);
        JdbcBackend.install(pool, ddl);
        JdbcBackend.execute(pool, Ddl.of(ddl + "-claims"));
        return new OpenStore(
                () -> ReservationManager.jdbc(pool).domain(DOMAIN).leaseTime(LEASE).build(), Optional.of(pool), pool);
    }

    ReservationManager newNode() {
        return nodes.get();
    }

    Claims newClaims() {
        return pool.map(found -> Claims.jdbc(found).build()).orElseGet(() -> Claims.inMemory().build());
    }

    void execute(String sql) {
        JdbcBackend.execute(pool.orElseThrow(), sql);
    }

    @Override
    public void close() throws Exception {
        end.close();
    }
}
