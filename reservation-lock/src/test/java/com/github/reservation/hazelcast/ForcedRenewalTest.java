// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock is taken away by force in the middle of its renewal. */
@Needs(Backend.HAZELCAST)
class ForcedRenewalTest {

    private static final String KEY = "42";

    private static HazelcastInstance member;
    private static IMap<String, String> map;

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private CallInterceptor interceptor;
    private ReservationManager manager;
    private Reservation reservation;

    @BeforeAll
    static void start() {
        member = TestInstances.member();
        map = member.getMap("reservations-orders");
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    @BeforeEach
    void open() {
        interceptor = new CallInterceptor(member);
        manager = ReservationManager.hazelcast(interceptor.instance()).domain("orders").leaseTime(Duration.ofMinutes(1))
                .build();
        manager.onLost(lost::add);
        reservation = manager.getReservation(KEY);
        reservation.lock();
    }

    @AfterEach
    void close() {
        manager.close();
        map.forceUnlock(KEY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aForceUnlockOfTheSameManagerIsNotUndone(int renewalsBefore) throws Exception {
        renew(renewalsBefore);
        AtomicReference<Future<?>> forced = new AtomicReference<>();
        try (Actor admin = new Actor("admin")) {
            interceptor.next("unlock", real -> {
                Object left = real.call();
                forced.set(admin.starts(() -> manager.getReservation(KEY).forceUnlock()));
                assertThatThrownBy(() -> forced.get().get(200, TimeUnit.MILLISECONDS))
                        .as("it waits for its turn")
                        .isInstanceOf(TimeoutException.class);
                return left;
            });

            reservation.renew();

            Actor.result(forced.get());
        }
        assertThat(map.isLocked(KEY)).isFalse();
        awaitForced();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aForceUnlockOfAnotherProcessIsNotUndone(int renewalsBefore) {
        renew(renewalsBefore);
        interceptor.next("unlock", this::thenForced);

        assertThat(reservation.renew()).isFalse();

        assertThat(map.isLocked(KEY)).isFalse();
        awaitForced();
    }

    @Test
    void whatIsUndoneInTheLastMomentIsNoticedByTheNextRenewal() {
        renew(1);
        interceptor.next("isLocked", this::thenForced);

        assertThat(reservation.renew()).as("acquired anew").isTrue();
        assertThat(map.isLocked(KEY)).isTrue();

        assertThat(reservation.renew()).isFalse();
        assertThat(map.isLocked(KEY)).isFalse();
        awaitForced();
    }

    private void renew(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(reservation.renew()).isTrue();
        }
    }

    private Object thenForced(Callable<Object> real) throws Exception {
        Object answer = real.call();
        map.forceUnlock(KEY);
        return answer;
    }

    private void awaitForced() {
        Awaitility.await().until(() -> !lost.isEmpty());
        assertThat(lost).singleElement().extracting(LostReservation::reason).isEqualTo(LossReason.FORCED);
        assertThatThrownBy(reservation::unlock).isInstanceOf(ReservationExpiredException.class);
    }
}
