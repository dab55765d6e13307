// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that wait for the same key take turns. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2_IN_MEMORY", "ORACLE_MODE"})
class TurnsTest extends OnContendedKey {

    @Test
    void nodesAreServedInTheOrderInWhichTheyJoined() throws Exception {
        Reservation holder = key.node();
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Future<?>> waiting = new ArrayList<>();
        holder.lock();
        for (int i = 1; i <= 3; i++) {
            int name = i;
            Reservation reservation = key.node();
            waiting.add(key.actor("node " + i).starts(() -> {
                reservation.lock();
                served.add(name);
                reservation.unlock();
            }));
            key.queue().awaitLength(i);
        }

        holder.unlock();
        waiting.forEach(Actor::result);

        assertThat(served).containsExactly(1, 2, 3);
    }

    @Test
    void aNodeThatFindsTheKeyFreeWhenItJoinsTakesItAtOnce() throws Exception {
        assumeThat(kind)
                .as("on the others, the refused statement joins the queue")
                .isIn(Databases.H2_IN_MEMORY, Databases.ORACLE_MODE);
        Reservation holder = key.node();
        RecordingDataSource recorded = new RecordingDataSource(key.database().pool(2));
        Duration seldom = Duration.ofSeconds(20);
        Reservation waiting = ContendedKey.used(key.database().opened(ReservationManager.jdbc(recorded.dataSource())
                .domain("orders")
                .leaseTime(ContendedKey.LEASE)
                .pollInterval(seldom)
                .maxPollInterval(seldom)
                .build()));
        holder.lock();
        AtomicLong unlocked = new AtomicLong();
        recorded.beforeNext("SET waiters", () -> {
            holder.unlock();
            unlocked.set(System.nanoTime());
        });

        waiting.lock();

        assertThat(Duration.ofNanos(System.nanoTime() - unlocked.get())).isLessThan(seldom.dividedBy(2));
        assertThat(key.queue().text()).isNull();
    }

    @Test
    void aNodeThatHasJustUnlockedDoesNotComeBeforeThoseThatWait() throws Exception {
        Reservation holder = key.node();
        Reservation other = key.node();
        holder.lock();
        Actor actor = key.actor("other");
        Future<?> waiting = actor.starts(() -> other.lock());
        key.queue().awaitLength(1);

        holder.unlock();

        assertThat(holder.tryLock()).as("it is the other one's turn").isFalse();
        Actor.result(waiting);
        actor.does(other::unlock);
    }

    @Test
    void aForcedUnlockReservesTheKeyForTheFirstNode() throws Exception {
        Reservation holder = key.node();
        Reservation operator = key.node(ContendedKey.LONG_GRACE);
        Reservation waiting = key.node();
        Actor actor = key.actor("waiting");
        holder.lock();
        Future<?> granted = actor.starts(() -> waiting.lock());
        key.queue().awaitLength(1);

        operator.forceUnlock();

        assertThat(operator.tryLock()).isFalse();
        assertThat(holder.tryLock()).isFalse();
        Actor.result(granted);
        actor.does(waiting::unlock);
    }

    @Test
    void aKeyWhoseLeaseExpiredIsReservedForNoNode() throws Exception {
        Reservation reservation = key.node();
        key.leases()
                .acquire(AcquireRequest.once(new LeaseId("orders::42", "dies"), Duration.ofMillis(200),
                        ContendedKey.DEAD_NODE));
        key.queue().write(ContendedKey.DEAD_NODE);

        await().until(() -> !reservation.isLocked());

        assertThat(reservation.tryLock()).isTrue();
        reservation.unlock();
    }

    @Test
    void theLastHolderIsGrantedAKeyForWhichNoOtherNodeCame() {
        Reservation reservation = key.node();
        ContendedKey.lockAndUnlock(reservation);
        key.queue().write(ContendedKey.DEAD_NODE);

        assertThat(reservation.tryLock()).isTrue();

        assertThat(key.queue().text()).isNull();
        reservation.unlock();
    }

    @Test
    void aWaiterTakesOverFromADeadHolderWhenItsLeaseEnds() throws Exception {
        Reservation reservation = key.node();
        Duration lease = Duration.ofSeconds(1);
        long start = System.nanoTime();
        key.leases()
                .acquire(AcquireRequest.once(new LeaseId("orders::42", "dies"), lease, ContendedKey.DEAD_NODE));

        Future<Long> next = key.joinsQueue(reservation, 1);

        assertThat(Duration.ofNanos(Actor.result(next) - start)).isBetween(lease, lease.plusSeconds(5));
        assertThat(key.queue().text()).isNull();
    }
}
