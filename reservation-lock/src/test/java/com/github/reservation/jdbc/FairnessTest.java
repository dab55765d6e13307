// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import com.github.reservation.jdbc.History.Held;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three nodes want the same key again and again. For a full minute instead of a few seconds, say
 * {@code -Dfairness.seconds=60}.
 */
class FairnessTest {

    private static final int NODES = 3;
    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("fairness.seconds", 10));
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

    /** When the machine or its disk stands still, all nodes wait. It may do so once. */
    private static final int STALLED = NODES;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2_IN_MEMORY"})
    void nodesGetTheSameShareAndNoneWaitsForLong(Databases kind) throws Exception {
        History history = new History();
        try (TestDatabase database = kind.openNew(directory)) {
            database.install();
            contend(new Nodes(database), history);
        }

        history.assertExclusive();
        List<Held> all = history.holds();
        // The nodes do not begin at the same moment: in the first second not all of them wait yet.
        long settled = all.getFirst().asked() + Duration.ofSeconds(1).toNanos();
        List<Held> holds = all.stream().filter(held -> held.asked() - settled > 0).toList();
        List<Duration> waits =
                holds.stream().map(Held::waited).map(Duration::ofNanos).sorted(Comparator.reverseOrder()).toList();
        System.out.printf(
                Locale.ROOT, "%s: %d holds in %d s, longest wait %d ms%n",
                kind, all.size(), DURATION.toSeconds(), waits.getFirst().toMillis());
        for (int i = 0; i < NODES; i++) {
            int node = i;
            double share = holds.stream().filter(held -> held.node() == node).count() / (double) holds.size();
            assertThat(share).as("share of node %d", node).isBetween(0.23, 0.43);
        }
        assertThat(waits.get(STALLED)).isLessThanOrEqualTo(LONGEST_WAIT);
    }

    private static void contend(Nodes nodes, History history) throws Exception {
        List<Actor> actors = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        List<Reservation> reservations = nodes.of(NODES, "42");
        long end = System.nanoTime() + DURATION.toNanos();
        for (int i = 0; i < NODES; i++) {
            int node = i;
            Actor actor = new Actor("node " + i);
            actors.add(actor);
            ends.add(actor.starts(() -> {
                while (System.nanoTime() - end < 0) {
                    history.hold(node, reservations.get(node), () -> LockSupport.parkNanos(1_000_000));
                }
            }));
        }
        for (Future<?> each : ends) {
            each.get(DURATION.toSeconds() + 30, TimeUnit.SECONDS);
        }
        actors.forEach(Actor::close);
    }
}
