// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.base.KeyDigest;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.jdbc.NotifyingJdbcLeaseStore;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** PostgreSQL notifies the node whose turn it is. */
class NotificationsTest extends OnNotifiedNodes {

    private static final String NODE = "0123456789abcdef";

    @Test
    void aNodeIsNotifiedWhenItIsItsTurn() throws Exception {
        Reservation one = node(database.pool(1)).getReservation("42");
        Reservation other = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(2);

        for (int i = 0; i < 20; i++) {
            one.lock();
            Future<?> granted = joinsQueue(other, 1);
            one.unlock();
            granted.get(PATIENCE, TimeUnit.SECONDS);
        }
    }

    @Test
    void aNodeThatCanBeNotifiedLooksNoSoonerThanAfterItsLongestPause() throws Exception {
        database.execute("CREATE EXTENSION pg_stat_statements");
        Reservation holder = node(database.pool(1)).getReservation("42");
        Reservation other = database.opened(notified(ReservationManager.jdbc(database.pool(2)), database.pool(1))
                .pollInterval(Duration.ofMillis(1))
                .maxPollInterval(NEVER)
                .build()).getReservation("42");
        listeners.awaitCount(2);
        holder.lock();
        Future<?> granted = joinsQueue(other, 1);

        await().during(Duration.ofMillis(500)).until(() -> looks() == 0);

        holder.unlock();
        granted.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void aNodeThatCanBeNotifiedPollsOnceASecond() throws Exception {
        Reservation holder = node(database.pool(1)).getReservation("42");
        RecordingDataSource recorded = new RecordingDataSource(database.pool(2));
        ReservationManager waiting = database.opened(
                notified(ReservationManager.jdbc(recorded.dataSource()), database.pool(1)).build());
        waiting.listReservations();
        listeners.awaitCount(2);
        holder.lock();
        Future<?> granted = joinsQueue(waiting.getReservation("42"), 1);
        recorded.clear();
        long start = System.nanoTime();

        await().until(() -> recorded.executions().size() >= 3);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(1));
        holder.unlock();
        granted.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void waitingNodesAreNotifiedOneAfterAnother() throws Exception {
        Reservation holder = node(database.pool(1)).getReservation("42");
        List<Reservation> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(node(database.pool(1)).getReservation("42"));
        }
        listeners.awaitCount(4);
        holder.lock();
        List<Future<?>> granted = new ArrayList<>();
        for (Reservation node : nodes) {
            granted.add(joinsQueue(node, granted.size() + 1));
        }

        holder.unlock();

        for (Future<?> each : granted) {
            each.get(PATIENCE, TimeUnit.SECONDS);
        }
    }

    @Test
    void theNextNodeIsNotifiedWhenANodeGivesUpItsTurnOrIsForced() throws Exception {
        Reservation holder = node(database.pool(1)).getReservation("42");
        Reservation impatient = node(database.pool(1)).getReservation("42");
        Reservation patient = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(3);
        holder.lock();
        Actor actor = actor("impatient");
        Future<Boolean> tried = actor.starts(() -> impatient.tryLock(2, TimeUnit.SECONDS));
        queue.awaitLength(1);
        Future<?> granted = joinsQueue(patient, 2);

        assertThat(Actor.result(tried)).isFalse();
        impatient.forceUnlock();

        granted.get(PATIENCE, TimeUnit.SECONDS);
        assertThatThrownBy(holder::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void aReleaseOfManyLeasesNotifiesTheNodesThatWaitForThem() throws Exception {
        LockProvider holder = node(database.pool(1)).lockProvider();
        Reservation other = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(2);
        List<LockLease> leases = Stream.of("41", "42", "43")
                .map(name -> Objects.requireNonNull(holder.acquireLock(name, "run-" + name, LEASE)))
                .toList();
        Future<?> granted = joinsQueue(other, 1);

        holder.release(leases);

        granted.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionThatWasCutIsReplacedAndMissedNotificationsAreMadeUpFor() throws Exception {
        Reservation one = node(database.pool(1)).getReservation("42");
        Reservation other = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(2);
        one.lock();
        Future<?> missed = joinsQueue(other, 1);

        assertThat(listeners.cut()).isEqualTo(2);
        one.unlock();
        missed.get(PATIENCE, TimeUnit.SECONDS);

        listeners.awaitCount(2);
        one.lock();
        Future<?> notified = joinsQueue(other, 1);
        one.unlock();
        notified.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void aNodeKeepsItsNameInTheQueueWhenItsConnectionWasCutAndLeavesTheQueueUnderIt() throws Exception {
        Reservation holder = node(database.pool(1)).getReservation("42");
        Reservation impatient = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(2);
        holder.lock();
        Future<Boolean> tried = actor("impatient").starts(() -> impatient.tryLock(5, TimeUnit.SECONDS));
        queue.awaitLength(1);
        List<String> joined = queue.nodes();

        // The new connection wakes the node, and it asks again.
        assertThat(listeners.cut()).isEqualTo(2);
        await().during(Duration.ofMillis(500)).until(() -> queue.nodes().equals(joined));

        assertThat(Actor.result(tried)).isFalse();
        assertThat(queue.nodes()).isEmpty();
    }

    @Test
    void aClosedManagerDoesNotListenAlthoughItStillHoldsAKey() throws Exception {
        Set<Thread> before = threads();
        ReservationManager manager = node(database.pool(1));
        Reservation held = manager.getReservation("42");
        listeners.awaitCount(1);
        held.lock();

        manager.close();

        await().until(() -> before.containsAll(threads())); // Its thread has given its connection back, and ends.
        listeners.awaitCount(0);
        assertThat(held.isHeldByCurrentThread()).isTrue();
        held.unlock();
    }

    @Test
    void onlyAReleaseOfAnAwaitedKeyNotifiesOnTheChannelOfOneListenerAndThePayloadDoesNotShowTheKey() throws Exception {
        ReservationManager one = node(database.pool(1));
        Reservation other = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(2);
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            one.getReservation("42").lock();
            Future<?> granted = joinsQueue(other, 1);
            String node = queue.nodes().getFirst();
            String channel = "reservation_lock_" + node.substring(0, 8);
            statement.execute("LISTEN reservation_lock; LISTEN " + channel);
            for (int i = 0; i < 10; i++) {
                one.getReservation("quiet-" + i).lock();
                one.getReservation("quiet-" + i).unlock();
            }
            one.getReservation("42").unlock();
            granted.get(PATIENCE, TimeUnit.SECONDS);

            PGNotification[] told = connection.unwrap(PGConnection.class).getNotifications(PATIENCE * 1_000);

            assertThat(told).hasSize(1);
            assertThat(told[0].getName()).isEqualTo(channel);
            assertThat(told[0].getParameter())
                    .startsWith(node)
                    .hasSize(16 + 64)
                    .doesNotContain("orders", "::", "42".repeat(2));
        }
    }

    /** What it awaits, it looks for when it begins to listen. An entry that stayed behind would stay for ever. */
    @Test
    void aKeyIsNotAwaitedAnyMoreIfTheReplyToItsAcquisitionGotLost() throws Exception {
        ScriptedDriver driver = new ScriptedDriver(database.pool(2));
        SignallingStore store = store(driver.dataSource(), database.pool(1));
        node(database.pool(1)).getReservation("42").lock();
        driver.failNext(Step.REPLY, Databases.POSTGRESQL.connectionLost());
        assertThatThrownBy(() -> store.acquire(waiting("orders::43"))).isInstanceOf(StoreException.class);
        List<String> told = new CopyOnWriteArrayList<>();

        Registration registration = store.subscribe(tellingOfFreeKeys(told));

        try {
            listeners.awaitCount(2);
            assertThat(store.acquire(waiting("orders::42"))).isInstanceOf(Refused.class);
            String notification = queue.nodes().getFirst() + KeyDigest.of("orders::42");
            database.execute("NOTIFY reservation_lock, '" + notification + "'");
            database.execute("NOTIFY reservation_lock, '" + notification + "'");
            await().until(() -> told.size() >= 2); // One of them may be from the beginning.
            assertThat(told).containsOnly("orders::42");
        } finally {
            registration.close();
        }
    }

    private static SignallingStore store(DataSource locks, DataSource notifications) {
        SqlTable table = new SqlTable(
                locks, Optional.empty(), JdbcSettings.DEFAULT_TABLE, JdbcSettings.DEFAULT_QUERY_TIMEOUT, "");
        return new NotifyingJdbcLeaseStore(
                new JdbcSettings(table, false, Duration.ofSeconds(1), Optional.empty()), notifications);
    }

    private static AcquireRequest waiting(String key) {
        return new AcquireRequest(new LeaseId(key, "holder"), LEASE, NODE, true, false);
    }

    private static SignallingStore.Listener tellingOfFreeKeys(List<String> told) {
        return new SignallingStore.Listener() {
            @Override
            public String node() {
                return NODE;
            }

            @Override
            public void free(String key) {
                told.add(key);
            }

            @Override
            public void lost(Set<LeaseId> leases, LossReason reason) {}
        };
    }

    private long looks() {
        return Long.parseLong(database.query("""
                SELECT COALESCE(SUM(calls), 0)
                FROM pg_stat_statements
                WHERE query LIKE '%AS reserved,%'
                  AND query NOT LIKE '%pg_stat_statements%'
                  AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                """));
    }
}
