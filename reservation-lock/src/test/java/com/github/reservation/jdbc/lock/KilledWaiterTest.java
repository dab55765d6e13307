// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import com.github.reservation.jdbc.lock.TwoProcessesTest.OtherProcess;
import com.github.reservation.jdbc.server.Database;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is killed while it waits leaves its place behind, and nobody waits for it for long. */
class KilledWaiterTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    /** For how long a key is reserved for the first node, with the default poll intervals. */
    private static final Duration GRACE = Duration.ofMillis(150);

    /** How late the next one may be: on a busy machine, but not so late that it waited for a lease. */
    private static final Duration LATE = Duration.ofSeconds(5);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void theNextOneGetsTheKeyWhenTheGraceOfTheKilledOneIsOver(Databases kind) throws Exception {
        Database created =
                kind.server().newDatabase();
        TestDatabase database = new TestDatabase(kind, created.url(), created.user(), created.password());
        database.install();
        StoredQueue queue = new StoredQueue(database, "orders::42");
        try (database; OtherProcess other = new OtherProcess(created); Actor actor = new Actor("next")) {
            Reservation holder = database.manager(database.pool(2), LEASE).getReservation("42");
            Reservation next = database.manager(database.pool(2), LEASE).getReservation("42");
            holder.lock();
            other.starts("lock");
            queue.awaitLength(1);
            String killed = queue.nodes().getFirst();
            Future<Long> granted = actor.starts(() -> {
                next.lock();
                return System.nanoTime();
            });
            queue.awaitLength(2);

            other.kill();
            assertThat(queue.nodes()).first().isEqualTo(killed);
            long start = System.nanoTime();
            holder.unlock();

            assertThat(Duration.ofNanos(Actor.result(granted) - start)).isBetween(GRACE, GRACE.plus(LATE));
            assertThat(queue.text()).as("no node is in the queue any more").isNull();
            actor.does(next::unlock);
        }
    }
}
