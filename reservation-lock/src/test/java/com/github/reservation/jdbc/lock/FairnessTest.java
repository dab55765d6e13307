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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three nodes want the same key again and again. For a full minute instead of a few seconds, say
 * {@code -Dfairness.seconds=60}. Every wait counts; what is not counted is a warm-up before, in which the JVM compiles what
 * is measured, and for how long the machine let no thread run.
 */
@Tag("long")
class FairnessTest {

    private static final int NODES = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fairness.seconds", 5));
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2_IN_MEMORY"})
    void nodesGetTheSameShareAndNoneWaitsForLong(Databases kind) throws Exception {
        HoldHistory history = new HoldHistory();
        Duration stall;
        try (TestDatabase database = kind.openNew(directory)) {
            database.install();
            List<Reservation> reservations = new WarmNodes(database).of(NODES, "42");
            contend(reservations, WARM_UP, new HoldHistory());
            try (Stalls stalls = new Stalls()) {
                contend(reservations, DURATION, history);
                stall = stalls.longest();
            }
        }

        history.assertExclusive();
        List<Held> holds = history.holds();
        List<Duration> waits = holds.stream().map(Held::waited).map(Duration::ofNanos).sorted().toList();
        System.out.printf(
                Locale.ROOT,
                "%s: %d holds in %d s, waits p50 %d ms, p99 %d ms, longest %s ms, shares %s, longest stall %d ms%n",
                kind,
                holds.size(),
                DURATION.toSeconds(),
                waits.get(waits.size() / 2).toMillis(),
                waits.get(waits.size() * 99 / 100).toMillis(),
                waits.reversed().stream().limit(NODES + 1).map(Duration::toMillis).toList(),
                IntStream.range(0, NODES).mapToObj(node -> "%.3f".formatted(share(holds, node))).toList(),
                stall.toMillis());
        for (int node = 0; node < NODES; node++) {
            assertThat(share(holds, node)).as("share of node %d", node).isBetween(0.28, 0.38);
        }
        assertThat(waits.getLast()).isLessThanOrEqualTo(LONGEST_WAIT.plus(stall.multipliedBy(NODES)));
    }

    private static double share(List<Held> holds, int node) {
        return holds.stream().filter(held -> held.node() == node).count() / (double) holds.size();
    }

    private static void contend(List<Reservation> reservations, Duration duration, HoldHistory history)
            throws Exception {
        List<Actor> actors = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < NODES; i++) {
            int node = i;
            Actor actor = new Actor("node " + i);
            actors.add(actor);
            ends.add(actor.starts(() -> {
                go.await();
                long end = System.nanoTime() + duration.toNanos();
                while (System.nanoTime() - end < 0) {
                    history.hold(node, reservations.get(node), () -> LockSupport.parkNanos(1_000_000));
                }
            }));
        }
        go.countDown();
        for (Future<?> each : ends) {
            each.get(duration.toSeconds() + 30, TimeUnit.SECONDS);
        }
        actors.forEach(Actor::close);
    }
}
