// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection to the cluster goes in the very moment in which something is granted, renewed or built. */
@Needs(Backend.HAZELCAST)
class CrossedGrantTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private final List<LifecycleState> states = new CopyOnWriteArrayList<>();
    private HazelcastInstance member;
    private TcpProxy proxy;
    private HazelcastInstance client;
    private CallInterceptor interceptor;
    private ReservationManager manager;
    private IMap<String, String> map;

    @BeforeEach
    void start() {
        member = TestInstances.member();
        map = member.getMap("reservations-orders");
        proxy = new TcpProxy(member.getCluster().getLocalMember().getAddress().getPort());
        ClientConfig config = TestInstances.clientConfig(List.of(proxy.port()));
        config.getNetworkConfig().setSmartRouting(false);
        client = HazelcastClient.newHazelcastClient(config);
        interceptor = new CallInterceptor(client);
        manager = manager();
        manager.onLost(lost::add);
        client.getLifecycleService().addLifecycleListener(event -> states.add(event.getState()));
    }

    private ReservationManager manager() {
        return ReservationManager.hazelcast(interceptor.instance()).domain("orders").leaseTime(LEASE).build();
    }

    @AfterEach
    void stop() {
        manager.close();
        client.shutdown();
        proxy.close();
        member.shutdown();
    }

    @Test
    void aGrantWhoseReplyCrossesADisconnectIsNotTrusted() {
        Reservation reservation = manager.getReservation("42");
        interceptor.next("tryLock", this::thenCutAndMended);
        interceptor.next("tryLock", real -> false); // The core may ask again, and hold what it is granted then.

        assertThat(reservation.tryLock()).isFalse();

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        awaitFree("42");
    }

    @Test
    void aRenewalWhoseReplyCrossesADisconnectDoesNotBringTheHoldBack() {
        Reservation reservation = manager.getReservation("42");
        reservation.lock();
        assertThat(reservation.renew()).isTrue();
        interceptor.next("tryLock", this::thenCutAndMended);

        assertThat(reservation.renew()).isFalse();

        awaitLost(LossReason.DISCONNECTED);
        awaitFree("42");
    }

    @Test
    void aManagerThatIsBuiltWithoutAConnectionKnows() throws Exception {
        cut();
        try (ReservationManager another = manager()) {
            Reservation reservation = another.getReservation("43");

            assertThat(reservation.tryLock()).isFalse();
            assertThatThrownBy(reservation::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("no connection to the Hazelcast cluster");

            proxy.mend();
            assertThat(reservation.tryLock(30, TimeUnit.SECONDS)).isTrue();
            reservation.unlock();
        }
    }

    private Object thenCutAndMended(Callable<Object> real) throws Exception {
        Object answer = real.call();
        cut();
        proxy.mend();
        awaitState(LifecycleState.CLIENT_CONNECTED); // So all have heard of the disconnect.
        return answer;
    }

    private void cut() {
        states.clear();
        proxy.cut(from -> true);
        awaitState(LifecycleState.CLIENT_DISCONNECTED);
    }

    /** Waits in spite of an interrupt: that is how a call under way is broken off when the connection goes. */
    private void awaitState(LifecycleState state) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        boolean interrupted = false;
        while (!states.contains(state)) {
            assertThat(System.nanoTime() - giveUp).as("waits for " + state).isNegative();
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(1_000_000);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitLost(LossReason reason) {
        Awaitility.await().until(() -> !lost.isEmpty());
        assertThat(lost).singleElement().extracting(LostReservation::reason).isEqualTo(reason);
    }

    private void awaitFree(String key) {
        Awaitility.await().until(() -> !map.isLocked(key));
    }
}
