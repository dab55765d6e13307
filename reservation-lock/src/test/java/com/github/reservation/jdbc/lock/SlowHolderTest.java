// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Fifty nodes wait for a key that another one holds for long, without notifications. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
class SlowHolderTest extends OnContendedKey {

    private static final int NODES = 50;
    private static final int PER_SECOND = 500;
    private static final Duration STEADY = Duration.ofSeconds(3);

    @Test
    void manyNodesThatWaitForLongOnlyReadAndSeldom() throws Exception {
        RecordingDataSource recorded = new RecordingDataSource(key.database().pool(8));
        Reservation holder = key.node();
        holder.lock();
        List<Actor> asking = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Reservation waiting =
                    key.database().manager(recorded.dataSource(), ContendedKey.LEASE).getReservation("42");
            Actor actor = key.actor("node " + i);
            actor.starts(() -> waiting.lock());
            asking.add(actor);
        }
        await().until(() -> {
            asking.removeIf(Actor::isQueued);
            return asking.isEmpty();
        });
        key.database().execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00'");
        // Until every node has looked: the pauses before it are the shorter ones.
        recorded.clear();
        await().until(() -> recorded.executions().size() >= 2 * NODES);
        AtomicBoolean wrote = new AtomicBoolean();
        recorded.beforeNext("UPDATE", () -> wrote.set(true));

        recorded.clear();
        long start = System.nanoTime();
        await().pollDelay(STEADY).until(() -> true);
        int statements = recorded.executions().size();
        double seconds = (System.nanoTime() - start) / 1e9;

        assertThat(statements / seconds).isBetween(1.0, (double) PER_SECOND);
        assertThat(wrote).isFalse();
    }
}
