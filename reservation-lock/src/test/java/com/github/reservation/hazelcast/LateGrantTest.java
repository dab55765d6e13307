// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cluster carries a request out when whoever sent it has gone. */
@SideBySide
@Needs(Backend.HAZELCAST)
class LateGrantTest {

    private static final String KEY = "42";
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static HazelcastInstance member;
    private static HazelcastInstance client;

    private final AtomicReference<Callable<Object>> late = new AtomicReference<>();
    private CallInterceptor interceptor;
    private ReservationManager manager;
    private Reservation reservation;
    private IMap<String, String> map;

    @BeforeAll
    static void start() {
        member = TestInstances.member();
        client = TestInstances.client(member.getCluster().getLocalMember().getAddress().getPort());
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        member.shutdown();
    }

    @BeforeEach
    void open() {
        map = member.getMap("reservations-orders");
        interceptor = new CallInterceptor(client);
        manager = ReservationManager.hazelcast(interceptor.instance()).domain("orders").leaseTime(LEASE).build();
        reservation = manager.getReservation(KEY);
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        manager.close();
        map.forceUnlock(KEY);
    }

    @Test
    void aRequestThatWasInterruptedAndComesAfterItsUndoingLeavesNothing() throws Exception {
        interceptor.next("tryLock", this::comesLate);

        assertThatThrownBy(() -> reservation.tryLock(5, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(map.isLocked(KEY)).isFalse();

        assertThat(late.get().call()).as("it is granted").isEqualTo(true);
        awaitFree();
    }

    @Test
    void aRenewalThatGotNoAnswerAndComesAfterTheUnlockLeavesNothing() throws Exception {
        reservation.lock();
        for (int tries = 0; tries < 6; tries++) { // As often as the core repeats it.
            interceptor.next("tryLock", this::getsNoAnswer);
        }
        assertThatThrownBy(reservation::renew).isInstanceOf(ReservationException.class);
        reservation.unlock();
        assertThat(map.isLocked(KEY)).isFalse();

        assertThat(late.get().call()).as("it is granted").isEqualTo(true);
        awaitFree();
    }

    @Test
    void aRequestThatGotNoAnswerDoesNotTouchTheNextOneOfTheSameCall() throws Exception {
        interceptor.next("tryLock", this::getsNoAnswer);

        assertThat(reservation.tryLock(5, TimeUnit.SECONDS)).as("asked again").isTrue();

        assertThat(late.get().call()).as("the key is held, by another owner").isEqualTo(false);
        Awaitility.await()
                .during(Duration.ofSeconds(6))
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(map.isLocked(KEY)).isTrue());
        reservation.unlock();
        assertThat(map.isLocked(KEY)).isFalse();
    }

    /** As a client does that is interrupted; the request stays on its way. */
    private Object comesLate(Callable<Object> real) {
        late.set(real);
        Thread.currentThread().interrupt();
        throw new HazelcastException(new InterruptedException());
    }

    private Object getsNoAnswer(Callable<Object> real) {
        late.set(real);
        throw new HazelcastException("no answer");
    }

    private void awaitFree() {
        Awaitility.await().until(() -> !map.isLocked(KEY));
    }
}
