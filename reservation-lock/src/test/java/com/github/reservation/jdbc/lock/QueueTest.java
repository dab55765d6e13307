// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that wait for a key stand in a queue in its row: how they join it, and how they leave it. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2_IN_MEMORY", "ORACLE_MODE"})
class QueueTest extends OnContendedKey {

    /** How late the next node may be after a grace. */
    private static final Duration LATE = Duration.ofMillis(50);

    @Test
    void aRefusedNodeJoinsTheQueueOnce() throws Exception {
        Reservation holder = key.node();
        RecordingDataSource recorded = new RecordingDataSource(key.database().pool(2));
        Reservation waiting = key.database().manager(recorded.dataSource(), ContendedKey.LEASE).getReservation("42");
        holder.lock();

        Future<?> first = key.actor("first").startsAndWaits(() -> ContendedKey.lockAndUnlock(waiting));
        Future<?> second = key.actor("second").startsAndWaits(() -> ContendedKey.lockAndUnlock(waiting));
        await().until(() -> recorded.taken() >= 5);

        assertThat(key.queue().nodes()).hasSize(1);
        assertThat(key.queue().text()).hasSize(17).endsWith(",");
        holder.unlock();
        Actor.result(first);
        Actor.result(second);
        assertThat(key.queue().text()).isNull();
    }

    @Test
    void aNodeThatDoesNotWaitDoesNotJoin() throws Exception {
        Reservation holder = key.node();
        Reservation other = key.node();
        holder.lock();

        assertThat(other.tryLock()).isFalse();
        assertThat(other.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(other.tryLock(Duration.ZERO, ContendedKey.LEASE)).isFalse();

        assertThat(key.queue().text()).isNull();
        holder.unlock();
    }

    @Test
    void theQueueHasRoomForSixteenAndALaterNodePolls() throws Exception {
        Reservation holder = key.node();
        holder.lock();
        String[] dead = new String[16];
        for (int i = 0; i < dead.length; i++) {
            dead[i] = "dead-dead-dead-" + "0123456789abcdef".charAt(i);
        }
        key.queue().write(dead);
        RecordingDataSource recorded = new RecordingDataSource(key.database().pool(2));
        Reservation waiting = key.database().manager(recorded.dataSource(), ContendedKey.LEASE).getReservation("42");
        Actor actor = key.actor("the seventeenth");

        Future<?> granted = actor.starts(() -> waiting.lock());
        await().until(() -> recorded.taken() >= 3);
        assertThat(key.queue().nodes()).containsExactly(dead);
        holder.unlock();

        Actor.result(granted);
        assertThat(key.queue().nodes()).as("without the one that let its turn pass").hasSize(15)
                .doesNotContain(dead[0]);
        actor.does(waiting::unlock);
    }

    @Test
    void aNodeThatGivesUpLeavesAndTheNextOneGetsTheKeyAtOnce() throws Exception {
        Reservation holder = key.node(ContendedKey.LONG_GRACE);
        Reservation impatient = key.node();
        Reservation patient = key.node();
        holder.lock();
        Future<Boolean> tried = key.actor("impatient").starts(() -> impatient.tryLock(1, TimeUnit.SECONDS));
        key.queue().awaitLength(1);
        Future<Long> next = key.joinsQueue(patient, 2);

        assertThat(Actor.result(tried)).isFalse();
        assertThat(key.queue().nodes()).hasSize(1);

        assertThat(ContendedKey.timeToGrant(holder, next)).isLessThan(ContendedKey.AT_ONCE);
    }

    @Test
    void aNodeThatIsInterruptedLeavesAndTheNextOneGetsTheKeyAtOnce() throws Exception {
        Reservation holder = key.node(ContendedKey.LONG_GRACE);
        Reservation interrupted = key.node();
        Actor actor = key.actor("interrupted");
        holder.lock();
        Future<?> waiting = actor.starts(interrupted::lockInterruptibly);
        key.queue().awaitLength(1);
        Future<Long> next = key.joinsQueue(key.node(), 2);

        await().until(() -> {
            actor.thread().interrupt(); // More than once: H2 loses an interrupt now and then.
            return waiting.isDone();
        });
        assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
        assertThat(key.queue().nodes()).hasSize(1);

        assertThat(ContendedKey.timeToGrant(holder, next)).isLessThan(ContendedKey.AT_ONCE);
    }

    @Test
    void aNodeThatGivesUpInItsTurnLeavesTheKeyToTheNextOneAtOnce() throws Exception {
        Reservation holder = key.node(ContendedKey.LONG_GRACE);
        JdbcLeaseStore leases = key.leases();
        String node = "gives-up-gives-u";
        holder.lock();
        Acquisition answer = leases.acquire(
                new AcquireRequest(new LeaseId("orders::42", "holder"), ContendedKey.LEASE, node, true, false));
        assertThat(answer).isInstanceOfSatisfying(
                Acquisition.Refused.class, refused -> assertThat(refused.queued()).isTrue());
        Future<Long> next = key.joinsQueue(key.node(), 2);
        holder.unlock();
        assertThat(key.queue().nodes().getFirst()).isEqualTo(node);

        long start = System.nanoTime();
        leases.withdraw("orders::42", node);

        assertThat(Duration.ofNanos(Actor.result(next) - start)).isLessThan(ContendedKey.AT_ONCE);
        assertThat(key.queue().text()).isNull();
    }

    @Test
    void aManagerThatIsClosedLeaves() throws Exception {
        Reservation holder = key.node(ContendedKey.LONG_GRACE);
        ReservationManager closed = key.database().manager(key.database().pool(2), ContendedKey.LEASE);
        holder.lock();
        Future<?> waiting = key.actor("closed").starts(() -> closed.getReservation("42").lock());
        key.queue().awaitLength(1);
        Future<Long> next = key.joinsQueue(key.node(), 2);

        closed.close();
        assertThat(Actor.failure(waiting)).isInstanceOf(IllegalStateException.class);
        assertThat(key.queue().nodes()).hasSize(1);

        assertThat(ContendedKey.timeToGrant(holder, next)).isLessThan(ContendedKey.AT_ONCE);
    }

    @Test
    void aNodeThatDiedDelaysTheNextOneByItsGraceAndIsRemoved() throws Exception {
        Reservation holder = key.node();
        Reservation reservation = key.node();
        List<Duration> delays = new ArrayList<>();

        for (int i = 0; i < 5; i++) {
            holder.lock();
            Future<Long> next = key.joinsQueue(reservation, 1);
            key.queue().write(ContendedKey.DEAD_NODE, key.queue().nodes().getFirst());

            delays.add(ContendedKey.timeToGrant(holder, next));
            assertThat(key.queue().text()).isNull();
        }

        assertThat(delays).allMatch(delay -> delay.compareTo(ContendedKey.GRACE) >= 0);
        // The best one: this machine may have been busy with something else.
        assertThat(Collections.min(delays)).isLessThanOrEqualTo(ContendedKey.GRACE.plus(LATE));
    }

    @Test
    void aPurgeDoesNotHarmWaiters() throws Exception {
        JdbcLeaseStore purging = TestDatabase.leases(key.database().pool(1), Optional.of(Duration.ofHours(1)));
        Reservation holder = key.node();
        holder.lock();
        Future<Long> next = key.joinsQueue(key.node(ContendedKey.LONG_GRACE), 1);

        key.database().execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00'");
        purging.purge();
        assertThat(key.queue().nodes()).as("somebody holds the key").hasSize(1);

        key.database().execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00',"
                + " expires_at = TIMESTAMP '2001-01-01 00:00:00'");
        purging.purge();
        Actor.result(next);
        assertThat(key.queue().text()).isNull();
    }
}
