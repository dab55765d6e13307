// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts the calls of the driver while several nodes want the same key. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class ContendedRoundTripsTest extends OnRecordedDatabase {

    @Test
    void aKeyForWhichAWaitingNodeDidNotComeIsTwoStatementsAtMost() {
        new StoredQueue(database, "orders::42").write("dead-dead-dead-0");

        assertThat(reservation.tryLock()).isTrue();

        roundTrips.assertStatements(roundTrips.hasUpsert() ? 2 : 1);
    }

    @Test
    void aKeyThatNoOtherNodeWantsIsTakenByTheShortUpsert() {
        assumeThat(roundTrips.hasUpsert()).isTrue();
        AtomicBoolean knows = new AtomicBoolean();
        recorded.beforeNext("REPLACE(", () -> knows.set(true));

        reservation.lock();
        assertThat(knows).isFalse();

        reservation.unlock();
        new StoredQueue(database, "orders::42").write("dead-dead-dead-0");
        reservation.lock();
        assertThat(knows).isTrue();
    }

    @Test
    void aRefusalWithoutAWaitIsTwoStatements() {
        database.manager(database.pool(1), LEASE).getReservation("42").lock();

        assertThat(reservation.tryLock()).isFalse();

        roundTrips.assertStatements(2);
    }

    @Test
    void aRefusedNodeJoinsTheQueueAndThenOnlyLooksAndTheReleaseIsOneStatement() throws Exception {
        RecordingDataSource recordedHolder = new RecordingDataSource(database.pool(2));
        Reservation holder = database.manager(recordedHolder.dataSource(), LEASE).getReservation("awaited");
        ReservationManager waiting = database.opened(ReservationManager.jdbc(recorded.dataSource())
                .domain("orders")
                .leaseTime(LEASE)
                .pollInterval(Duration.ofMillis(100))
                .maxPollInterval(Duration.ofMillis(100))
                .build());
        waiting.listReservations();
        holder.lock();
        recorded.clear();

        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> {
            Reservation awaited = waiting.getReservation("awaited");
            awaited.lock();
            awaited.unlock();
        }, Thread::startVirtualThread);
        await().until(() -> recorded.taken() > 2);
        // The short upsert is refused, the long one joins the queue; without an upsert: update, insert, look, join.
        assertThat(recorded.executionsPerConnection()).startsWith(roundTrips.hasUpsert() ? 2 : 4, 1);

        recordedHolder.clear();
        holder.unlock();
        assertThat(recordedHolder.executions()).hasSize(1);
        waiter.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aNodeThatFindsTheQueueFullOnlyLooksUntilThereIsRoom() throws Exception {
        Reservation holder = database.manager(database.pool(1), LEASE).getReservation("awaited");
        holder.lock();
        StoredQueue queue = new StoredQueue(database, "orders::awaited");
        String[] sixteen = IntStream.range(10, 26).mapToObj(i -> "dead-dead-dea-" + i).toArray(String[]::new);
        queue.write(sixteen);
        recorded.clear();

        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> {
            Reservation awaited = manager.getReservation("awaited");
            awaited.lock();
            awaited.unlock();
        }, Thread::startVirtualThread);
        await().until(() -> recorded.executions().size() >= 2 && recorded.open() == 0);
        AtomicBoolean wrote = new AtomicBoolean();
        recorded.beforeNext("UPDATE", () -> wrote.set(true));
        recorded.clear();
        await().until(() -> recorded.taken() >= 10 && recorded.open() == 0);
        assertThat(wrote).isFalse();
        // One may have been under way when the count began.
        assertThat(recorded.executions()).hasSizeLessThanOrEqualTo(recorded.taken() + 1);

        queue.write(Arrays.copyOf(sixteen, 15));
        await().until(() -> queue.nodes().size() == 16);
        queue.write(queue.nodes().getLast());
        holder.unlock();
        waiter.get(30, TimeUnit.SECONDS);
    }

    @Test
    void nodesThatAlternateKnowFromTheirReleaseThatOthersWaitAndAreGrantedTheKeyInTwoStatementsAtMost()
            throws Exception {
        List<RecordingDataSource> pools =
                Stream.generate(() -> new RecordingDataSource(database.pool(2))).limit(2).toList();
        List<JdbcLeaseStore> nodes = pools.stream()
                .map(pool -> TestDatabase.leases(pool.dataSource(), Optional.empty()))
                .toList();
        LeaseId held = new LeaseId("orders::42", "holder 0");
        assertThat(nodes.get(0).acquire(waiting(held, 0))).isInstanceOf(Acquisition.Granted.class);
        for (int turn = 1; turn < 10; turn++) {
            int node = turn % 2;
            LeaseId wanted = new LeaseId("orders::42", "holder " + turn);
            pools.get(node).clear();
            assertThat(nodes.get(node).acquire(waiting(wanted, node))).isInstanceOf(Acquisition.Refused.class);
            if (turn > 2) {
                assertThat(pools.get(node).executions()).hasSize(statementsToJoinAfterARelease());
            }
            assertThat(nodes.get(1 - node).release(List.of(held))).hasSize(1);
            pools.get(node).clear();
            assertThat(nodes.get(node).acquire(waiting(wanted, node))).isInstanceOf(Acquisition.Granted.class);
            assertThat(pools.get(node).executions()).hasSizeLessThanOrEqualTo(2);
            held = wanted;
        }
    }

    @Test
    void onPostgreSqlANodeThatSeesThatItIsItsTurnIsGrantedTheKeyByAnUpdate() throws StoreException {
        assumeThat(kind).isEqualTo(Databases.POSTGRESQL);
        JdbcLeaseStore here = TestDatabase.leases(database.pool(1), Optional.empty());
        JdbcLeaseStore there = TestDatabase.leases(recorded.dataSource(), Optional.empty());
        LeaseId held = new LeaseId("orders::42", "holder 0");
        LeaseId wanted = new LeaseId("orders::42", "holder 1");
        assertThat(here.acquire(waiting(held, 0))).isInstanceOf(Granted.class);
        assertThat(there.acquire(waiting(wanted, 1))).isNotInstanceOf(Granted.class);
        assertThat(here.acquire(waiting(new LeaseId("orders::42", "holder 2"), 2))).isNotInstanceOf(Granted.class);
        assertThat(here.release(List.of(held))).containsExactly(held);
        AtomicBoolean inserts = new AtomicBoolean();
        recorded.beforeNext("INSERT", () -> inserts.set(true));
        recorded.clear();

        AcquireRequest poll = new AcquireRequest(wanted, LEASE, waiting(wanted, 1).node(), true, true);
        assertThat(there.acquire(poll)).isInstanceOf(Granted.class);

        assertThat(inserts).isFalse();
        roundTrips.assertStatements(2);
        assertThat(new StoredQueue(database, "orders::42").nodes()).containsExactly(waiting(held, 2).node());
    }

    @Test
    void aNodeThatStaysBeforeOthersIsGrantedTheKeyAgainInTwoStatementsAtMost() throws StoreException {
        JdbcLeaseStore here = TestDatabase.leases(recorded.dataSource(), Optional.empty());
        JdbcLeaseStore there = TestDatabase.leases(database.pool(1), Optional.empty());
        AcquireRequest first = waiting(new LeaseId("orders::42", "holder 0"), 0);
        assertThat(here.acquire(first)).isInstanceOf(Granted.class);
        assertThat(there.acquire(waiting(new LeaseId("orders::42", "holder 1"), 1))).isNotInstanceOf(Granted.class);
        assertThat(here.releaseAndQueue(first.lease(), first.node(), true)).isTrue();
        recorded.clear();

        assertThat(here.acquire(waiting(new LeaseId("orders::42", "holder 2"), 0))).isInstanceOf(Granted.class);

        roundTrips.assertStatements(kind == Databases.MARIADB ? 2 : 1);
    }

    @Test
    void noConnectionIsKeptWhileALockIsHeldOrAwaited() throws Exception {
        ReservationManager waiting = database.opened(ReservationManager.jdbc(recorded.dataSource())
                .domain("orders")
                .leaseTime(LEASE)
                .pollInterval(Duration.ofSeconds(1))
                .maxPollInterval(Duration.ofSeconds(1))
                .build());
        reservation.lock();
        assertThat(recorded.open()).isZero();
        recorded.clear();

        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            Reservation awaited = waiting.getReservation("42");
            awaited.lock();
            awaited.unlock();
            return true;
        }, Thread::startVirtualThread);
        await().until(() -> !recorded.executions().isEmpty() && recorded.open() == 0);
        await().during(Duration.ofMillis(100)).until(() -> recorded.open() == 0);
        assertThat(waiter).isNotDone();

        reservation.unlock();
        assertThat(waiter.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(recorded.open()).isZero();
    }

    /** PostgreSQL's release returns whether other nodes wait: then the short upsert would be in vain. */
    private int statementsToJoinAfterARelease() {
        if (kind == Databases.POSTGRESQL) {
            return 1;
        }
        return roundTrips.hasUpsert() ? 2 : 4;
    }

    private static AcquireRequest waiting(LeaseId lease, int node) {
        return new AcquireRequest(lease, LEASE, "node-node-node-" + node, true, false);
    }
}
