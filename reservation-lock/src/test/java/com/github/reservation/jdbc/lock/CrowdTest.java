// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred threads on four nodes want the same key, each once. The server counts what that costs it: an acquisition and a
 * release for each, and some polls, of which there are the more the slower the machine is.
 */
class CrowdTest {

    private static final int NODES = 4;
    private static final int THREADS = 25;

    /** How often a node may look, on average, while it waits without a notification: the longer a crowd drains, the more. */
    private static final Duration LOOKS = Duration.ofMillis(25);

    /** What the store was asked while the crowd drained. */
    private record Drained(double statementsPerHolder, double looksPerHolder) {}

    @TempDir
    private Path directory;

    @Test
    void aCrowdOnPostgreSqlDrainsWithFewStatements() throws Exception {
        try (TestDatabase database = Databases.POSTGRESQL.openNew(directory)) {
            database.install();
            database.execute("CREATE EXTENSION pg_stat_statements");

            Drained drained = drain(database, () -> Long.parseLong(database.query("""
                    SELECT COALESCE(SUM(calls), 0)
                    FROM pg_stat_statements
                    WHERE query LIKE '%RESERVATION_LOCKS%'
                      AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """)));

            assertThat(drained.statementsPerHolder).isLessThanOrEqualTo(2 + drained.looksPerHolder);
        }
    }

    @Test
    void aCrowdOnMariaDbDrainsWithFewStatements() throws Exception {
        try (TestDatabase database = Databases.MARIADB.openNew(directory)) {
            database.install();

            Drained drained = drain(database, () -> Long.parseLong(database.query("""
                    SELECT variable_value
                    FROM information_schema.global_status
                    WHERE variable_name = 'questions'
                    """)));

            assertThat(drained.statementsPerHolder).isLessThanOrEqualTo(2 + drained.looksPerHolder);
        }
    }

    @Test
    void aCrowdOnH2Drains() throws Exception {
        try (TestDatabase database = Databases.H2_IN_MEMORY.openNew(directory)) {
            database.install();

            drain(database, () -> 0);
        }
    }

    private static Drained drain(TestDatabase database, LongSupplier counter) throws Exception {
        WarmNodes nodes = new WarmNodes(database);
        HoldHistory history = new HoldHistory();
        List<Reservation> reservations = nodes.of(NODES, "42");
        CountDownLatch go = new CountDownLatch(1);
        List<Actor> actors = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < NODES * THREADS; i++) {
            int node = i % NODES;
            Actor actor = new Actor("thread " + i);
            actors.add(actor);
            ends.add(actor.starts(() -> {
                go.await();
                history.hold(node, reservations.get(node), () -> {});
            }));
        }

        long before = counter.getAsLong();
        long start = System.nanoTime();
        go.countDown();
        ends.forEach(Actor::result);
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        double perHolder = (counter.getAsLong() - before) / (double) (NODES * THREADS);

        actors.forEach(Actor::close);
        System.out.printf(
                Locale.ROOT, "%s: drained in %d ms, %.2f statements per holder, %d connections%n",
                database.kind(), time.toMillis(), perHolder, nodes.mostConnections());
        history.assertExclusive();
        assertThat(history.holds()).hasSize(NODES * THREADS);
        assertThat(nodes.mostConnections()).isLessThanOrEqualTo(2);
        double looks = NODES * (time.toNanos() / (double) LOOKS.toNanos());
        return new Drained(perHolder, looks / (NODES * THREADS));
    }
}
