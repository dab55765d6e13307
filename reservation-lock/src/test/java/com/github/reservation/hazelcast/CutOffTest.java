// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client loses the connection to its cluster, and keeps what it holds until its lease ends. */
@SideBySide
@Needs(Backend.HAZELCAST)
class CutOffTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private MemberProcess member;
    private TcpProxy proxy;
    private HazelcastInstance client;
    private ReservationManager manager;
    private Reservation reservation;

    @BeforeEach
    void start() {
        member = MemberProcess.alone();
        proxy = new TcpProxy(member.port());
        ClientConfig config = TestInstances.clientConfig(List.of(proxy.port()));
        config.getNetworkConfig().setSmartRouting(false);
        client = HazelcastClient.newHazelcastClient(config);
        manager = ReservationManager.hazelcast(client).domain("orders").leaseTime(LEASE).build();
        manager.onLost(lost::add);
        reservation = manager.getReservation("42");
    }

    @AfterEach
    void stop() {
        manager.close();
        client.shutdown();
        proxy.close();
        member.close();
    }

    @Test
    void aClientThatIsCutOffKeepsItsHold_andGetsNothingElse() throws Exception {
        reservation.lock();
        Reservation another = manager.getReservation("43");

        proxy.cut(from -> true);

        Awaitility.await().untilAsserted(() -> assertThatThrownBy(another::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("no connection to the Hazelcast cluster"));
        assertThat(another.tryLock()).as("no cluster, no lock, and no hanging").isFalse();
        assertThatThrownBy(another::isLocked).isInstanceOf(ReservationException.class);
        assertThat(reservation.isHeldByCurrentThread()).isTrue();

        proxy.mend();
        assertThat(another.tryLock(30, TimeUnit.SECONDS)).isTrue();
        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        assertThat(lost).isEmpty();
    }

    @Test
    void theLeaseOfAClientThatIsCutOffEndsOnTime() throws Exception {
        HazelcastInstance direct = TestInstances.client(member.port());
        try (ReservationManager other =
                ReservationManager.hazelcast(direct).domain("orders").leaseTime(LEASE).build()) {
            Duration lease = Duration.ofSeconds(3);
            long before = System.nanoTime();
            assertThat(reservation.tryLock(Duration.ofSeconds(30), lease)).isTrue();
            long locked = System.nanoTime();

            proxy.cut(from -> true);

            assertThat(other.getReservation("42").tryLock(30, TimeUnit.SECONDS)).isTrue();
            long ended = System.nanoTime();
            assertThat(Duration.ofNanos(ended - before)).isGreaterThanOrEqualTo(lease);
            assertThat(Duration.ofNanos(ended - locked)).isLessThanOrEqualTo(lease.plusSeconds(2));
            assertThat(reservation.isHeldByCurrentThread()).isFalse();
            Awaitility.await().until(() -> !lost.isEmpty());
            assertThat(lost).singleElement().satisfies(loss -> assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED));
        } finally {
            direct.shutdown();
        }
    }

    @Test
    void whoWaitsWhenTheConnectionGoesDoesNotWaitLongerThanItWanted() throws Exception {
        HazelcastInstance direct = TestInstances.client(member.port());
        try (ReservationManager other =
                ReservationManager.hazelcast(direct).domain("orders").leaseTime(LEASE).build();
                Actor waiter = new Actor("waiter")) {
            other.getReservation("42").lock();
            Future<Boolean> waiting = waiter.startsAndWaits(() -> reservation.tryLock(2, TimeUnit.SECONDS));
            long start = System.nanoTime();

            proxy.cut(from -> true);

            assertThat(Actor.result(waiting)).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            assertThat(waiter.ask(() -> Thread.currentThread().isInterrupted())).isFalse();
            proxy.mend();
            other.getReservation("42").unlock();
            assertThat(reservation.tryLock(30, TimeUnit.SECONDS)).as("no ghost is left").isTrue();
            reservation.unlock();
        } finally {
            direct.shutdown();
        }
    }

    @Test
    void aMemberThatIsRestartedLearnsOfTheHoldAgain() throws Exception {
        reservation.lock();
        int port = member.port();

        member.close();
        member = new MemberProcess(port, List.of(port), Map.of(), "").started();

        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> client.getMap("reservations-orders").size() == 1);
        assertThat(reservation.isLocked()).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        assertThat(lost).isEmpty();
    }

    @Test
    void aRequestThatTheClientRepeatsWhenItIsBackLeavesNoGhost() throws Exception {
        HazelcastInstance direct = TestInstances.client(member.port());
        ClientConfig config = TestInstances.clientConfig(List.of(proxy.port()));
        config.getNetworkConfig().setSmartRouting(false);
        config.setProperty("hazelcast.client.invocation.retry.pause.millis", "4000");
        HazelcastInstance slow = HazelcastClient.newHazelcastClient(config);
        try (ReservationManager slowManager =
                ReservationManager.hazelcast(slow).domain("orders").leaseTime(LEASE).build();
                ReservationManager other =
                        ReservationManager.hazelcast(direct).domain("orders").leaseTime(LEASE).build();
                Actor waiter = new Actor("waiter")) {
            other.getReservation("42").lock();
            Future<Boolean> waiting = waiter.startsAndWaits(
                    () -> slowManager.getReservation("42").tryLock(2, TimeUnit.SECONDS));
            proxy.cut(from -> true);
            assertThat(Actor.result(waiting)).isFalse();
            other.getReservation("42").unlock();
            TimeUnit.SECONDS.sleep(3); // The client pauses for longer and longer, up to the four seconds.

            proxy.mend();

            assertThat(slowManager.getReservation("43").tryLock(30, TimeUnit.SECONDS)).as("it is back").isTrue();
            Awaitility.await()
                    .pollDelay(Duration.ofSeconds(4)) // Whatever it repeats, it has repeated by now.
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !other.getReservation("42").isLocked());
            slowManager.getReservation("43").unlock();
        } finally {
            slow.shutdown();
            direct.shutdown();
        }
    }
}
