// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Managers that name the same data source share one connection that listens. */
class SharedListenerTest extends OnNotifiedNodes {

    @Test
    void managersThatNameOneDataSourceShareOneConnectionUntilTheLastOneIsClosed() throws Exception {
        Set<Thread> before = threads();
        DataSource notifications = database.pool(3);
        ReservationManager one = node(notifications);
        ReservationManager other = node(notifications);
        ReservationManager stranger = node(database.pool(1));
        listeners.awaitCount(2);
        one.getReservation("42").lock();
        Future<?> granted = joinsQueue(other.getReservation("42"), 1);
        one.getReservation("42").unlock();
        granted.get(PATIENCE, TimeUnit.SECONDS);

        stranger.close();
        listeners.awaitCount(1);
        one.close();
        other.getReservation("42").lock();
        assertThat(listeners.count()).isOne();
        other.getReservation("42").unlock();
        other.close();

        listeners.awaitCount(0);
        await().until(() -> before.containsAll(threads()));
    }

    @Test
    void aDataSourceCanBeNamedAgainAfterItsLastManagerWasClosed() throws Exception {
        DataSource notifications = database.pool(2);
        node(notifications).close();
        Reservation one = node(notifications).getReservation("42");
        Reservation other = node(notifications).getReservation("42");
        listeners.awaitCount(1);

        one.lock();
        Future<?> granted = joinsQueue(other, 1);
        one.unlock();

        granted.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void ofTwoManagersThatShareAConnectionOnlyTheOneWhoseTurnItIsIsWoken() throws Exception {
        DataSource shared = database.pool(1);
        RecordingDataSource second = new RecordingDataSource(database.pool(2));
        Reservation holder = node(database.pool(1)).getReservation("42");
        Reservation one = node(shared).getReservation("42");
        Reservation other = node(ReservationManager.jdbc(second.dataSource()), shared).getReservation("42");
        listeners.awaitCount(2);
        holder.lock();
        Future<?> notified = joinsQueue(one, 1);
        holder.unlock();
        notified.get(PATIENCE, TimeUnit.SECONDS); // From now on the connection listens for sure.
        holder.lock();
        Actor actor = actor("first");
        Future<?> first = actor.starts(() -> one.lock());
        queue.awaitLength(1);
        Future<?> last = joinsQueue(other, 2);
        assertThat(queue.nodes()).extracting(name -> name.substring(0, 8))
                .containsOnly(queue.nodes().getFirst().substring(0, 8));
        second.clear();

        holder.unlock();
        first.get(PATIENCE, TimeUnit.SECONDS);

        await().during(Duration.ofMillis(200)).until(() -> second.executions().isEmpty());
        actor.does(one::unlock);
        last.get(PATIENCE, TimeUnit.SECONDS);
    }
}
