// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.contract.Actor;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** What tests start from in which connections break all the time. */
abstract class OnBreakingConnections extends OnOutbox {

    private static final Duration TIME = Duration.ofSeconds(8);
    private static final Duration KILL_EVERY = Duration.ofMillis(60);

    /** How many connections were killed. */
    protected final AtomicInteger killed = new AtomicInteger();

    @BeforeEach
    void needsConnectionsToKill() {
        assumeFalse(kind.isH2(), "H2 has no connections to kill");
    }

    /** Repeats a step in some threads for some seconds, and kills a connection every now and then. */
    protected void disturb(int threads, Runnable step) throws SQLException {
        List<Actor> actors = IntStream.range(0, threads).mapToObj(i -> new Actor("actor-" + i)).toList();
        long end = System.nanoTime() + TIME.toNanos();
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            List<Future<?>> steps = new ArrayList<>();
            for (Actor actor : actors) {
                steps.add(actor.starts(() -> {
                    while (System.nanoTime() - end < 0) {
                        step.run();
                        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                    }
                }));
            }
            while (System.nanoTime() - end < 0) {
                kill(statement);
                LockSupport.parkNanos(KILL_EVERY.toNanos());
            }
            steps.forEach(Actor::result);
        } finally {
            actors.forEach(Actor::close);
        }
    }

    /** Ends a connection of the pool that is in a transaction, or in a statement. */
    private void kill(Statement statement) throws SQLException {
        String victims = kind.isMySql()
                ? "SELECT id FROM information_schema.processlist p WHERE db = DATABASE() AND id <> CONNECTION_ID()"
                        + " AND (command <> 'Sleep' OR EXISTS (SELECT 1 FROM information_schema.innodb_trx t"
                        + " WHERE t.trx_mysql_thread_id = p.id)) ORDER BY RAND() LIMIT 1"
                : "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        + " AND state <> 'idle' ORDER BY RANDOM() LIMIT 1";
        List<Long> victim = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(victims)) {
            while (rows.next()) {
                victim.add(rows.getLong(1));
            }
        }
        for (long id : victim) {
            try {
                statement.execute(kind.isMySql() ? "KILL " + id : "SELECT pg_terminate_backend(" + id + ")");
                killed.incrementAndGet();
            } catch (SQLException e) {
                // It has ended meanwhile.
            }
        }
    }
}
