// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts what is said to the database: one statement for each operation, and nothing hidden beside it. */
@ParameterizedClass
@EnumSource(Databases.class)
class RoundTripsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private RecordingDataSource recorded;
    private ReservationManager manager;
    private Reservation reservation;

    /** The first use of all looks at the columns, once; so there is one before. */
    @BeforeEach
    void open() {
        database = kind.open(directory);
        recorded = new RecordingDataSource(database.pool(4));
        manager = database.manager(recorded.dataSource(), LEASE);
        reservation = manager.getReservation("42");
        reservation.lock();
        reservation.unlock();
        recorded.clear();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void theFirstUseOfATableIsTwoStatementsMore() {
        ReservationManager other = database.manager(recorded.dataSource(), LEASE);

        other.getReservation("42").lock();

        assertThat(recorded.executions()).hasSize(3);
        assertThat(recorded.taken()).isOne();
    }

    @Test
    void aLockIsOneStatement() {
        reservation.lock();

        assertOneStatement();
    }

    @Test
    void theFirstLockOfAKeyIsOneStatementWhereThereIsAnUpsertAndTwoElsewhere() {
        manager.getReservation("fresh").lock();

        assertStatements(hasUpsert() ? 1 : 2);
    }

    @Test
    void aKeyThatAnotherNodeLinedUpForAndDidNotComeForIsTwoStatementsAtMost() {
        new Line(database, "orders::42").write("dead-dead-dead-0");

        assertThat(reservation.tryLock()).isTrue();

        assertStatements(hasUpsert() ? 2 : 1);
    }

    @Test
    void whereThereIsAnUpsertAKeyThatNobodyElseWantsIsTakenByOneThatKnowsOfNoTurns() {
        assumeThat(hasUpsert()).isTrue();
        AtomicBoolean knows = new AtomicBoolean();
        recorded.beforeNext("REPLACE(", () -> knows.set(true));

        reservation.lock();
        assertThat(knows).isFalse();

        reservation.unlock();
        new Line(database, "orders::42").write("dead-dead-dead-0");
        reservation.lock();
        assertThat(knows).isTrue();
    }

    @Test
    void aTryLockThatIsGrantedIsOneStatement() throws InterruptedException {
        assertThat(reservation.tryLock()).isTrue();
        assertOneStatement();

        recorded.clear();
        assertThat(manager.getReservation("43").tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertStatements(hasUpsert() ? 1 : 2);
    }

    @Test
    void anUnlockIsOneStatement() {
        reservation.lock();
        recorded.clear();

        reservation.unlock();

        assertOneStatement();
    }

    @Test
    void aRenewalIsOneStatement() {
        reservation.lock();
        recorded.clear();

        assertThat(reservation.renew()).isTrue();

        assertOneStatement();
    }

    @Test
    void aReentryIsOneStatementAndItsUnlockNone() {
        reservation.lock();
        recorded.clear();

        reservation.lock();
        assertOneStatement();

        recorded.clear();
        reservation.unlock();
        assertThat(recorded.taken()).isZero();
    }

    @Test
    void aLookIsOneStatement() {
        reservation.lock();
        recorded.clear();

        assertThat(reservation.isLocked()).isTrue();
        assertOneStatement();

        recorded.clear();
        assertThat(manager.listReservations()).hasSize(1);
        assertOneStatement();
    }

    @Test
    void whatTheHolderKnowsIsNoStatement() {
        reservation.lock();
        recorded.clear();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.getRemainingLeaseTime()).isPositive();
        assertThat(reservation.fencingToken()).isPresent();

        assertThat(recorded.taken()).isZero();
    }

    @Test
    void aForcedUnlockIsOneStatement() {
        reservation.lock();
        recorded.clear();

        reservation.forceUnlock();

        assertOneStatement();
    }

    @Test
    void aRefusalOfWhoDoesNotWaitIsTwoStatements() {
        database.manager(database.pool(1), LEASE).getReservation("42").lock();

        assertThat(reservation.tryLock()).isFalse();

        assertStatements(2);
    }

    @Test
    void whoWaitsLinesUpWhenItIsRefusedAndThenOnlyLooksAndTheReleaseIsOneStatement() throws Exception {
        RecordingDataSource recordedHolder = new RecordingDataSource(database.pool(2));
        Reservation holder = database.manager(recordedHolder.dataSource(), LEASE).getReservation("awaited");
        ReservationManager waiting = database.opened(ReservationManager.jdbc(recorded.dataSource())
                .domain("orders")
                .leaseTime(LEASE)
                .pollInterval(Duration.ofMillis(500))
                .maxPollInterval(Duration.ofMillis(500))
                .build());
        waiting.listReservations();
        holder.lock();
        recorded.clear();

        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> {
            Reservation awaited = waiting.getReservation("awaited");
            awaited.lock();
            awaited.unlock();
        });
        await().pollInterval(Duration.ofMillis(10)).until(() -> recorded.taken() == 1 && recorded.open() == 0);
        // The short upsert is refused, the long one lines up; else it is an update, an insert, a look, and the line-up.
        assertThat(recorded.executions()).hasSize(hasUpsert() ? 2 : 4);

        recorded.clear();
        await().pollInterval(Duration.ofMillis(10)).until(() -> recorded.taken() == 1 && recorded.open() == 0);
        assertThat(recorded.executions()).hasSize(1);

        recordedHolder.clear();
        holder.unlock();
        assertThat(recordedHolder.executions()).hasSize(1);
        waiter.get(5, TimeUnit.SECONDS);
    }

    @Test
    void whoHasNoPlaceBecauseTheLineIsFullOnlyLooksTooUntilThereIsRoom() throws Exception {
        Reservation holder = database.manager(database.pool(1), LEASE).getReservation("awaited");
        holder.lock();
        Line line = new Line(database, "orders::awaited");
        String[] sixteen = IntStream.range(10, 26).mapToObj(i -> "dead-dead-dea-" + i).toArray(String[]::new);
        line.write(sixteen);
        recorded.clear();

        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> {
            Reservation awaited = manager.getReservation("awaited");
            awaited.lock();
            awaited.unlock();
        });
        await().until(() -> recorded.executions().size() >= 2 && recorded.open() == 0);
        AtomicBoolean wrote = new AtomicBoolean();
        recorded.beforeNext("UPDATE", () -> wrote.set(true));
        recorded.clear();
        await().until(() -> recorded.taken() >= 10 && recorded.open() == 0);
        assertThat(wrote).isFalse();
        // One may have been under way when the count began.
        assertThat(recorded.executions()).hasSizeLessThanOrEqualTo(recorded.taken() + 1);

        line.write(Arrays.copyOf(sixteen, 15));
        await().until(() -> line.places().size() == 16);
        line.write(line.places().getLast());
        holder.unlock();
        waiter.get(5, TimeUnit.SECONDS);
    }

    @Test
    void nodesThatAlternateLineUpInTwoStatementsAndAreGrantedTheKeyInTwoMore() throws Exception {
        List<RecordingDataSource> pools =
                Stream.generate(() -> new RecordingDataSource(database.pool(2))).limit(2).toList();
        List<JdbcLeases> nodes = pools.stream()
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
                assertThat(pools.get(node).executions()).hasSize(hasUpsert() ? 2 : 4);
            }
            assertThat(nodes.get(1 - node).release(List.of(held))).hasSize(1);
            pools.get(node).clear();
            assertThat(nodes.get(node).acquire(waiting(wanted, node))).isInstanceOf(Acquisition.Granted.class);
            assertThat(pools.get(node).executions()).hasSizeLessThanOrEqualTo(2);
            held = wanted;
        }
    }

    @Test
    void whoStaysBeforeThoseWhoWaitIsGrantedTheKeyAgainInTwoStatementsAtMost() throws StoreException {
        JdbcLeases here = TestDatabase.leases(recorded.dataSource(), Optional.empty());
        JdbcLeases there = TestDatabase.leases(database.pool(1), Optional.empty());
        AcquireRequest first = waiting(new LeaseId("orders::42", "holder 0"), 0);
        assertThat(here.acquire(first)).isInstanceOf(Granted.class);
        assertThat(there.acquire(waiting(new LeaseId("orders::42", "holder 1"), 1))).isNotInstanceOf(Granted.class);
        assertThat(here.releaseAndQueue(first.lease(), first.node(), true)).isTrue();
        recorded.clear();

        assertThat(here.acquire(waiting(new LeaseId("orders::42", "holder 2"), 0))).isInstanceOf(Granted.class);

        assertStatements(hasUpsert() ? 2 : 1);
    }

    private static AcquireRequest waiting(LeaseId lease, int node) {
        return new AcquireRequest(lease, LEASE, "node-node-node-" + node, true, false);
    }

    @Test
    void manyLeasesAreRenewedOrReleasedInOneBatch() throws StoreException {
        JdbcLeases leases = TestDatabase.leases(recorded.dataSource(), Optional.empty());
        List<LeaseId> ids =
                IntStream.range(0, 50).mapToObj(i -> new LeaseId("orders::many-" + i, "holder-" + i)).toList();
        for (LeaseId id : ids) {
            assertThat(leases.acquire(AcquireRequest.once(id, LEASE, "node"))).isInstanceOf(Granted.class);
        }

        recorded.clear();
        assertThat(leases.renew(ids, LEASE.multipliedBy(2))).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(recorded.executions()).containsExactly("executeBatch");
        assertNothingHidden();

        recorded.clear();
        assertThat(leases.release(ids)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(recorded.executions()).containsExactly("executeBatch");
        assertNothingHidden();

        assertThat(leases.release(ids)).isEmpty();
    }

    @Test
    void noConnectionIsHeldWhileALockIsHeldOrAwaited() throws Exception {
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
        });
        await().atMost(Duration.ofSeconds(5)).until(() -> !recorded.executions().isEmpty() && recorded.open() == 0);
        await().during(Duration.ofMillis(100)).atMost(Duration.ofSeconds(5)).until(() -> recorded.open() == 0);
        assertThat(waiter).isNotDone();

        reservation.unlock();
        assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(recorded.open()).isZero();
    }

    private void assertOneStatement() {
        assertStatements(1);
    }

    /** Returns whether one statement can tell truthfully who won a key that may be new. */
    private boolean hasUpsert() {
        return kind == Databases.POSTGRESQL || kind == Databases.MARIADB;
    }

    private void assertStatements(int count) {
        assertThat(recorded.executions()).hasSize(count);
        assertThat(recorded.taken()).isOne();
        assertNothingHidden();
    }

    /**
     * Whether autocommit is on, the driver knows, and PostgreSQL's does nothing if it is to be switched on again; all other
     * questions and settings could be round trips.
     */
    private void assertNothingHidden() {
        assertThat(recorded.open()).isZero();
        assertThat(recorded.onConnections())
                .filteredOn(call -> kind != Databases.POSTGRESQL || !call.equals("setAutoCommit(true)"))
                .containsOnly("getAutoCommit", "prepareStatement", "close")
                .containsOnlyOnce("getAutoCommit", "close");
        if (kind.ddl().equals("h2")) {
            // H2 does not limit the statement but the whole session, with a statement of its own.
            assertThat(recorded.onStatements()).doesNotContain("setQueryTimeout");
        }
    }
}
