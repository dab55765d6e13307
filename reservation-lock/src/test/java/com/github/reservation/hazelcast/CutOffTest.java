// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
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

/** A client loses the connection to its cluster, and with it what it holds. */
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
    void aClientThatIsCutOffIsTold_andWorksAgainWhenItIsBack() throws Exception {
        reservation.lock();

        proxy.cut(from -> true);

        Awaitility.await().until(() -> !lost.isEmpty());
        assertThat(lost).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).isEqualTo(LossReason.DISCONNECTED);
            assertThat(loss.thread()).isSameAs(Thread.currentThread());
        });
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
        assertThat(reservation.tryLock()).as("no cluster, no lock, and no hanging").isFalse();
        assertThatThrownBy(reservation::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("no connection to the Hazelcast cluster");
        assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);

        proxy.mend();
        assertThat(reservation.tryLock(30, TimeUnit.SECONDS)).isTrue();
        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
        assertThat(reservation.isLocked()).isFalse();
        assertThat(lost).hasSize(1);
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
    void aMemberThatIsRestartedHasForgottenTheLock_andItsHolderKnows() throws Exception {
        reservation.lock();
        int port = member.port();

        member.close();
        Awaitility.await().until(() -> !lost.isEmpty());
        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        member = new MemberProcess(port, List.of(port), Map.of(), "").started();

        assertThat(reservation.tryLock(30, TimeUnit.SECONDS)).isTrue();
        reservation.unlock();
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void aRequestThatTheClientRepeatsWhenItIsBackLeavesNoGhost() throws Exception {
        HazelcastInstance direct = TestInstances.client(member.port());
        ClientConfig config = TestInstances.clientConfig(List.of(proxy.port()));
        config.getNetworkConfig().setSmartRouting(false);
        config.setProperty("hazelcast.client.invocation.retry.pause.millis", "4000");
        HazelcastInstance slow = HazelcastClient.newHazelcastClient(config);
        IMap<String, String> map = direct.getMap("reservations-orders");
        try (ReservationManager slowManager =
                ReservationManager.hazelcast(slow).domain("orders").leaseTime(LEASE).build();
                Actor waiter = new Actor("waiter")) {
            map.lock("42");
            Future<Boolean> waiting = waiter.startsAndWaits(
                    () -> slowManager.getReservation("42").tryLock(2, TimeUnit.SECONDS));
            proxy.cut(from -> true);
            assertThat(Actor.result(waiting)).isFalse();
            map.unlock("42");
            TimeUnit.SECONDS.sleep(3); // The client pauses for longer and longer, up to the four seconds.

            proxy.mend();

            assertThat(slowManager.getReservation("43").tryLock(30, TimeUnit.SECONDS)).as("it is back").isTrue();
            Awaitility.await()
                    .pollDelay(Duration.ofSeconds(4)) // Whatever it repeats, it has repeated by now.
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !map.isLocked("42"));
            slowManager.getReservation("43").unlock();
        } finally {
            slow.shutdown();
            direct.shutdown();
        }
    }
}
