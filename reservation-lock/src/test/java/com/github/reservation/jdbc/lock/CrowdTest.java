// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.HoldHistory;
import com.github.reservation.contract.HoldHistory.Held;
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
 * A hundred threads on four nodes want the same key, each once. The server counts what that costs it. How much it may be follows from who held
 * the key and for how long, so a slow machine may ask more: it changes the node more often, and nodes look more often at longer holds.
 */
class CrowdTest {

    private static final int NODES = 4;
    private static final int THREADS = 25;

    /** A node refuses to pass the key on, the next one takes it, and another one may have come too late for it. */
    private static final int STATEMENTS_PER_CHANGE_OF_NODE = 3;

    /** The threads of a node that come first ask before they know of each other. */
    private static final int FIRST_STATEMENTS_PER_NODE = 3;

    @TempDir
    private Path directory;

    @Test
    void aCrowdOnPostgreSqlDrainsWithFewStatements() throws Exception {
        try (TestDatabase database = Databases.POSTGRESQL.openNew(directory)) {
            database.install();
            database.execute("CREATE EXTENSION pg_stat_statements");

            drain(database, () -> Long.parseLong(database.query("""
                    SELECT COALESCE(SUM(calls), 0)
                    FROM pg_stat_statements
                    WHERE query LIKE '%RESERVATION_LOCKS%'
                      AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """)));
        }
    }

    @Test
    void aCrowdOnMariaDbDrainsWithFewStatements() throws Exception {
        try (TestDatabase database = Databases.MARIADB.openNew(directory)) {
            database.install();

            drain(database, () -> Long.parseLong(database.query("""
                    SELECT variable_value
                    FROM information_schema.global_status
                    WHERE variable_name = 'questions'
                    """)));
        }
    }

    @Test
    void aCrowdOnH2Drains() throws Exception {
        try (TestDatabase database = Databases.H2_IN_MEMORY.openNew(directory)) {
            database.install();

            drain(database, () -> 0);
        }
    }

    private static void drain(TestDatabase database, LongSupplier counter) throws Exception {
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
        long statements = counter.getAsLong() - before;
        double most = mostStatements(history.holds());

        actors.forEach(Actor::close);
        System.out.printf(
                Locale.ROOT, "%s: drained in %d ms, %d statements, at most %.0f, %d connections%n",
                database.kind(), time.toMillis(), statements, most, nodes.mostConnections());
        history.assertExclusive();
        assertThat(history.holds()).hasSize(NODES * THREADS);
        assertThat(nodes.mostConnections()).isLessThanOrEqualTo(2);
        assertThat((double) statements).isLessThanOrEqualTo(most);
    }

    /** Each hold ends with one statement, which passes the key on or releases it. */
    private static double mostStatements(List<Held> holds) {
        double statements = holds.size() + FIRST_STATEMENTS_PER_NODE * NODES;
        for (int i = 1; i < holds.size(); i++) {
            Held before = holds.get(i - 1);
            Held next = holds.get(i);
            statements += before.node() == next.node() ? 0 : STATEMENTS_PER_CHANGE_OF_NODE;
            statements += mostLooks((next.from() - before.from()) / 1e6);
        }
        return statements;
    }

    /**
     * Returns how often nodes look at the key during a hold of so many milliseconds, by the rules of {@code LookSchedule} for a node that is not
     * notified. The first node in line pauses for 10 ms, as long as a node may keep the key. Once the hold is longer than that, it pauses for a
     * sixteenth of the hold, but at least for 1 ms. The second node pauses twice as long, the third one three times. Each pause can be
     * shortened by half.
     */
    private static double mostLooks(double millis) {
        double pauses = Math.min(millis, 10) / 10;
        if (millis > 10) {
            pauses += Math.min(millis, 16) - 10;
        }
        if (millis > 16) {
            pauses += 16 * Math.log(millis / 16);
        }
        return 2 * pauses * (1 + 1 / 2.0 + 1 / 3.0);
    }
}
