// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that wait for the same key stand in line for it, in the row, and take turns. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "H2_IN_MEMORY", "ORACLE_MODE"})
class TurnsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    /** How long a key is kept for the first in line, with the default poll intervals. */
    private static final Duration GRACE = Duration.ofMillis(150);

    /** How late the next one may be after that. */
    private static final Duration LATE = Duration.ofMillis(50);

    /** So long that whoever gets the key in half of it was not kept waiting for somebody else. */
    private static final Duration LONG_GRACE = Duration.ofSeconds(1);

    /** The name of a node that is not there. */
    private static final String DEAD = "dead-dead-dead-0";

    private final List<AutoCloseable> actors = new ArrayList<>();

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private Line line;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        line = new Line(database, "orders::42");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
        for (AutoCloseable actor : actors) {
            actor.close();
        }
    }

    @Test
    void aRefusedNodeLinesUpOnce() throws Exception {
        Reservation holder = node();
        RecordingDataSource recorded = new RecordingDataSource(database.pool(2));
        Reservation waiting = database.manager(recorded.dataSource(), LEASE).getReservation("42");
        holder.lock();

        Future<?> first = actor("first").startsAndWaits(() -> lockAndUnlock(waiting));
        Future<?> second = actor("second").startsAndWaits(() -> lockAndUnlock(waiting));
        await().until(() -> recorded.taken() >= 5);

        assertThat(line.places()).hasSize(1);
        assertThat(line.text()).hasSize(17).endsWith(",");
        holder.unlock();
        Actor.result(first);
        Actor.result(second);
        assertThat(line.text()).isNull();
    }

    @Test
    void aHolderIsNotGrantedItsKeyAgain_alsoIfItWaits() throws Exception {
        JdbcLeases leases = TestDatabase.leases(database.pool(2), Optional.empty());
        LeaseId lease = new LeaseId("orders::42", "a");
        assertThat(leases.acquire(waiting(lease, "node-node-node-a"))).isInstanceOf(Acquisition.Granted.class);

        assertThat(leases.acquire(waiting(lease, "node-node-node-a"))).isInstanceOf(Acquisition.Refused.class);
    }

    @Test
    void aHolderWhoseLeaseWasEndedIsNotGrantedWhatIsKeptForAnother() throws Exception {
        JdbcLeases leases = TestDatabase.leases(database.pool(2), Optional.empty());
        LeaseId lease = new LeaseId("orders::42", "a");
        LeaseId other = new LeaseId("orders::42", "b");
        assertThat(leases.acquire(waiting(lease, "node-node-node-a"))).isInstanceOf(Acquisition.Granted.class);
        assertThat(leases.acquire(waiting(other, "node-node-node-b"))).isInstanceOf(Acquisition.Refused.class);
        assertThat(leases.forceRelease("orders::42")).isTrue();

        assertThat(leases.acquire(waiting(lease, "node-node-node-a"))).isInstanceOf(Acquisition.Refused.class);
        assertThat(leases.acquire(waiting(other, "node-node-node-b"))).isInstanceOf(Acquisition.Granted.class);
    }

    private static AcquireRequest waiting(LeaseId lease, String node) {
        return new AcquireRequest(lease, LEASE, node, true, false);
    }

    @Test
    void aNodePassesTheKeyOnBeforeOthersOnlyIfItMayStay() throws Exception {
        JdbcLeases leases = TestDatabase.leases(database.pool(2), Optional.empty());
        LeaseId first = new LeaseId("orders::42", "a1");
        AcquireRequest second = waiting(new LeaseId("orders::42", "a2"), "node-node-node-a");
        AcquireRequest other = waiting(new LeaseId("orders::42", "b"), "node-node-node-b");
        long fence = fenceOf(leases.acquire(waiting(first, "node-node-node-a")));
        assertThat(leases.acquire(second)).isInstanceOf(Acquisition.Refused.class);
        assertThat(leases.acquire(other)).isInstanceOf(Acquisition.Refused.class);
        assertThat(line.places()).hasSize(2);

        assertThat(leases.pass(first, second, false)).isEmpty();
        assertThat(leases.find("orders::42").orElseThrow().id()).isEqualTo(first);
        assertThat(line.places()).hasSize(2);

        assertThat(leases.pass(first, second, true)).hasValueSatisfying(
                granted -> assertThat(granted.fence()).hasValue(fence + 1));
        assertThat(leases.find("orders::42").orElseThrow().id()).isEqualTo(second.lease());
        assertThat(line.places()).containsExactly("node-node-node-b");
        assertThat(leases.pass(first, second, true)).as("the first has it no longer").isEmpty();
    }

    @Test
    void aNodeThatAloneWaitsPassesTheKeyOnAsLongAsItLikes() throws Exception {
        JdbcLeases leases = TestDatabase.leases(database.pool(2), Optional.empty());
        LeaseId first = new LeaseId("orders::42", "a1");
        AcquireRequest second = waiting(new LeaseId("orders::42", "a2"), "node-node-node-a");
        AcquireRequest third = waiting(new LeaseId("orders::42", "a3"), "node-node-node-a");
        assertThat(leases.acquire(waiting(first, "node-node-node-a"))).isInstanceOf(Acquisition.Granted.class);
        assertThat(leases.acquire(second)).isInstanceOf(Acquisition.Refused.class);
        assertThat(line.places()).hasSize(1);

        assertThat(leases.pass(first, second, false)).isPresent();
        assertThat(line.text()).isNull();
        assertThat(leases.pass(second.lease(), third, false)).isPresent();
    }

    private static long fenceOf(Acquisition answer) {
        return ((Acquisition.Granted) answer).fence().orElseThrow();
    }

    @Test
    void nodesAreServedInTheOrderInWhichTheyLinedUp() throws Exception {
        Reservation holder = node();
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Future<?>> waiting = new ArrayList<>();
        holder.lock();
        for (int i = 1; i <= 3; i++) {
            int name = i;
            Reservation reservation = node();
            waiting.add(actor("node " + i).starts(() -> {
                reservation.lock();
                served.add(name);
                reservation.unlock();
            }));
            line.awaitLength(i);
        }

        holder.unlock();
        waiting.forEach(Actor::result);

        assertThat(served).containsExactly(1, 2, 3);
    }

    @Test
    void whoFindsTheKeyFreeWhenItLinesUpTakesItAtOnce() throws Exception {
        assumeThat(kind)
                .as("the others line up in the statement that is refused")
                .isIn(Databases.H2_IN_MEMORY, Databases.ORACLE_MODE);
        Reservation holder = node();
        RecordingDataSource recorded = new RecordingDataSource(database.pool(2));
        Reservation waiting = used(database.opened(ReservationManager.jdbc(recorded.dataSource())
                .domain("orders")
                .leaseTime(LEASE)
                .pollInterval(LONG_GRACE)
                .maxPollInterval(LONG_GRACE)
                .build()));
        holder.lock();
        AtomicLong unlocked = new AtomicLong();
        recorded.beforeNext("SET waiters", () -> {
            holder.unlock();
            unlocked.set(System.nanoTime());
        });

        waiting.lock();

        assertThat(Duration.ofNanos(System.nanoTime() - unlocked.get())).isLessThan(LONG_GRACE.dividedBy(2));
        assertThat(line.text()).isNull();
    }

    @Test
    void whoHasJustUnlockedDoesNotComeBeforeThoseWhoWait() throws Exception {
        Reservation holder = node();
        Reservation other = node();
        holder.lock();
        Actor actor = actor("other");
        Future<?> waiting = actor.starts(() -> other.lock());
        line.awaitLength(1);

        holder.unlock();

        assertThat(holder.tryLock()).as("it is the other one's turn").isFalse();
        Actor.result(waiting);
        actor.does(other::unlock);
    }

    @Test
    void whoGivesUpLeavesTheLineAndTheNextOneGetsTheKeyAtOnce() throws Exception {
        Reservation holder = node(LONG_GRACE);
        Reservation impatient = node();
        Reservation patient = node();
        holder.lock();
        Future<Boolean> tried = actor("impatient").starts(() -> impatient.tryLock(1, TimeUnit.SECONDS));
        line.awaitLength(1);
        Future<Long> next = waitsInLine(patient, 2);

        assertThat(Actor.result(tried)).isFalse();
        assertThat(line.places()).hasSize(1);

        assertThat(unlockedUntilGranted(holder, next)).isLessThan(LONG_GRACE.dividedBy(2));
    }

    @Test
    void whoIsInterruptedLeavesTheLineAndTheNextOneGetsTheKeyAtOnce() throws Exception {
        Reservation holder = node(LONG_GRACE);
        Reservation interrupted = node();
        Actor actor = actor("interrupted");
        holder.lock();
        Future<?> waiting = actor.starts(interrupted::lockInterruptibly);
        line.awaitLength(1);
        Future<Long> next = waitsInLine(node(), 2);

        await().until(() -> {
            actor.thread().interrupt(); // More than once: H2 loses an interrupt now and then.
            return waiting.isDone();
        });
        assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
        assertThat(line.places()).hasSize(1);

        assertThat(unlockedUntilGranted(holder, next)).isLessThan(LONG_GRACE.dividedBy(2));
    }

    @Test
    void whoGivesUpWhenItIsItsTurnPassesItOnAtOnce() throws Exception {
        Reservation holder = node(LONG_GRACE);
        JdbcLeases leases = TestDatabase.leases(database.pool(1), Optional.empty());
        String node = "gives-up-gives-u";
        holder.lock();
        Acquisition answer = leases.acquire(
                new AcquireRequest(new LeaseId("orders::42", "holder"), LEASE, node, true, false));
        assertThat(answer).isInstanceOfSatisfying(
                Acquisition.Refused.class, refused -> assertThat(refused.marked()).isTrue());
        Future<Long> next = waitsInLine(node(), 2);
        holder.unlock();
        assertThat(line.places().getFirst()).isEqualTo(node);

        long start = System.nanoTime();
        leases.withdraw("orders::42", node);

        assertThat(Duration.ofNanos(Actor.result(next) - start)).isLessThan(LONG_GRACE.dividedBy(2));
        assertThat(line.text()).isNull();
    }

    @Test
    void aManagerThatIsClosedLeavesTheLine() throws Exception {
        Reservation holder = node(LONG_GRACE);
        ReservationManager closed = database.manager(database.pool(2), LEASE);
        holder.lock();
        Future<?> waiting = actor("closed").starts(() -> closed.getReservation("42").lock());
        line.awaitLength(1);
        Future<Long> next = waitsInLine(node(), 2);

        closed.close();
        assertThat(Actor.failure(waiting)).isInstanceOf(IllegalStateException.class);
        assertThat(line.places()).hasSize(1);

        assertThat(unlockedUntilGranted(holder, next)).isLessThan(LONG_GRACE.dividedBy(2));
    }

    @Test
    void aNodeThatDiedInLineDelaysTheNextOneByItsGraceAndIsGone() throws Exception {
        Reservation holder = node();
        Reservation reservation = node();
        List<Duration> delays = new ArrayList<>();

        for (int i = 0; i < 5; i++) {
            holder.lock();
            Future<Long> next = waitsInLine(reservation, 1);
            line.write(DEAD, line.places().getFirst());

            delays.add(unlockedUntilGranted(holder, next));
            assertThat(line.text()).isNull();
        }

        // The middle one: this machine may have been busy with something else.
        assertThat(delays.stream().sorted().toList().get(2)).isBetween(GRACE, GRACE.plus(LATE));
    }

    @Test
    void theLineHasRoomForSixteenAndWhoComesLaterPolls() throws Exception {
        Reservation holder = node();
        holder.lock();
        String[] dead = new String[16];
        for (int i = 0; i < dead.length; i++) {
            dead[i] = "dead-dead-dead-" + "0123456789abcdef".charAt(i);
        }
        line.write(dead);
        RecordingDataSource recorded = new RecordingDataSource(database.pool(2));
        Reservation waiting = database.manager(recorded.dataSource(), LEASE).getReservation("42");
        Actor actor = actor("the seventeenth");

        Future<?> granted = actor.starts(() -> waiting.lock());
        await().until(() -> recorded.taken() >= 3);
        assertThat(line.places()).containsExactly(dead);
        holder.unlock();

        Actor.result(granted);
        assertThat(line.places()).as("without the one that let its turn pass").hasSize(15).doesNotContain(dead[0]);
        actor.does(waiting::unlock);
    }

    @Test
    void whoDoesNotWaitDoesNotLineUp() throws Exception {
        Reservation holder = node();
        Reservation other = node();
        holder.lock();

        assertThat(other.tryLock()).isFalse();
        assertThat(other.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(other.tryLock(Duration.ZERO, LEASE)).isFalse();

        assertThat(line.text()).isNull();
        holder.unlock();
    }

    @Test
    void aForcedUnlockKeepsTheKeyForTheFirstInLine() throws Exception {
        Reservation holder = node();
        Reservation operator = node(LONG_GRACE);
        Reservation waiting = node();
        Actor actor = actor("waiting");
        holder.lock();
        Future<?> granted = actor.starts(() -> waiting.lock());
        line.awaitLength(1);

        operator.forceUnlock();

        assertThat(operator.tryLock()).isFalse();
        assertThat(holder.tryLock()).isFalse();
        Actor.result(granted);
        actor.does(waiting::unlock);
    }

    @Test
    void aLeaseThatRanOutIsKeptForNobody() throws Exception {
        Reservation reservation = node();
        TestDatabase.leases(database.pool(1), Optional.empty())
                .acquire(AcquireRequest.once(new LeaseId("orders::42", "dies"), Duration.ofMillis(200), DEAD));
        line.write(DEAD);

        await().until(() -> !reservation.isLocked());

        assertThat(reservation.tryLock()).isTrue();
        reservation.unlock();
    }

    @Test
    void whoHeldTheKeyLatelyIsGrantedWhatNobodyElseCameFor() {
        Reservation reservation = node();
        lockAndUnlock(reservation);
        line.write(DEAD);

        assertThat(reservation.tryLock()).isTrue();

        assertThat(line.text()).isNull();
        reservation.unlock();
    }

    @Test
    void whoWaitsTakesOverFromAHolderThatDiedWhenItsLeaseEnds() throws Exception {
        Reservation reservation = node();
        Duration lease = Duration.ofSeconds(1);
        long start = System.nanoTime();
        TestDatabase.leases(database.pool(1), Optional.empty())
                .acquire(AcquireRequest.once(new LeaseId("orders::42", "dies"), lease, DEAD));

        Future<Long> next = waitsInLine(reservation, 1);

        assertThat(Duration.ofNanos(Actor.result(next) - start)).isBetween(lease, lease.plus(GRACE).plusMillis(350));
        assertThat(line.text()).isNull();
    }

    @Test
    void aPurgeDoesNotHurtThoseWhoWait() throws Exception {
        JdbcLeases purging = TestDatabase.leases(database.pool(1), Optional.of(Duration.ofHours(1)));
        Reservation holder = node();
        holder.lock();
        Future<Long> next = waitsInLine(node(LONG_GRACE), 1);

        database.execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00'");
        purging.purge();
        assertThat(line.places()).as("somebody holds the key").hasSize(1);

        database.execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00',"
                + " expires_at = TIMESTAMP '2001-01-01 00:00:00'");
        purging.purge();
        Actor.result(next);
        assertThat(line.text()).isNull();
    }

    /** Returns the key at a node that has been in use before. */
    private Reservation node() {
        return used(database.manager(database.pool(2), LEASE));
    }

    /** Returns the key at a node that keeps it for that long for the first in line when it gives it back. */
    private Reservation node(Duration grace) {
        return used(database.opened(ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .leaseTime(LEASE)
                .maxPollInterval(grace)
                .build()));
    }

    private static Reservation used(ReservationManager manager) {
        manager.listReservations();
        return manager.getReservation("42");
    }

    private Actor actor(String name) {
        Actor actor = new Actor(name);
        actors.add(actor);
        return actor;
    }

    /** Has somebody wait who becomes the last of so many in line; returns when it got the key. It gives it back at once. */
    private Future<Long> waitsInLine(Reservation reservation, int length) {
        Future<Long> granted = actor("waits in line").starts(() -> {
            reservation.lock();
            long now = System.nanoTime();
            reservation.unlock();
            return now;
        });
        line.awaitLength(length);
        return granted;
    }

    private static Duration unlockedUntilGranted(Reservation holder, Future<Long> granted) {
        long start = System.nanoTime();
        holder.unlock();
        return Duration.ofNanos(Actor.result(granted) - start);
    }

    private static void lockAndUnlock(Reservation reservation) {
        reservation.lock();
        reservation.unlock();
    }
}
