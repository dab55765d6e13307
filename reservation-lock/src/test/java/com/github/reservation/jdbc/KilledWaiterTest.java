// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import com.github.reservation.jdbc.TwoProcessesTest.OtherProcess;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is killed while it waits leaves its place behind, and nobody waits for it for long. */
class KilledWaiterTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    /** How long a key is kept for the first in line, with the default poll intervals, and how late the next one may be. */
    private static final Duration GRACE = Duration.ofMillis(150);

    private static final Duration LATE = Duration.ofMillis(50);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theNextOneGetsTheKeyWhenTheGraceOfTheKilledOneIsOver(Databases kind) throws Exception {
        Database created =
                (kind == Databases.MARIADB ? MariaDbServer.shared() : PostgresServer.shared()).newDatabase();
        TestDatabase database = new TestDatabase(kind, created.url(), created.user(), created.password());
        database.install();
        Line line = new Line(database, "orders::42");
        try (database; OtherProcess other = new OtherProcess(created); Actor actor = new Actor("next")) {
            Reservation holder = database.manager(database.pool(2), LEASE).getReservation("42");
            Reservation next = database.manager(database.pool(2), LEASE).getReservation("42");
            holder.lock();
            other.starts("lock");
            line.awaitLength(1);
            String killed = line.places().getFirst();
            Future<Long> granted = actor.starts(() -> {
                next.lock();
                return System.nanoTime();
            });
            line.awaitLength(2);

            other.kill();
            assertThat(line.places()).first().isEqualTo(killed);
            long start = System.nanoTime();
            holder.unlock();

            assertThat(Duration.ofNanos(Actor.result(granted) - start)).isBetween(GRACE, GRACE.plus(LATE));
            assertThat(line.text()).as("nobody is in line any more").isNull();
            actor.does(next::unlock);
        }
    }
}
