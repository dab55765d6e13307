// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.MapInterceptor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The value that says who holds a key cannot be removed: a permission is missing, or somebody has set an interceptor. */
@Needs(Backend.HAZELCAST)
class FailingDescriptionTest {

    private HazelcastInstance member;
    private IMap<String, String> map;

    @BeforeEach
    void start() {
        member = TestInstances.member();
        map = member.getMap("reservations-orders");
        map.addInterceptor(new NothingIsRemoved());
    }

    @AfterEach
    void stop() {
        member.shutdown();
    }

    @Test
    void theUnlockComesAllTheSame() {
        try (ReservationManager manager = manager(member, Duration.ofHours(1))) {
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            Awaitility.await().until(() -> map.containsKey("42"));

            reservation.unlock();

            assertThat(map.isLocked("42")).isFalse();
        }
    }

    @Test
    void soDoesTheEndOfTheLease() {
        CallInterceptor interceptor = new CallInterceptor(member);
        AtomicBoolean unlocked = new AtomicBoolean();
        interceptor.next("unlock", real -> {
            real.call();
            unlocked.set(true);
            return null;
        });
        try (ReservationManager manager = manager(interceptor.instance(), Duration.ofMillis(500))) {
            manager.getReservation("42").lock();

            Awaitility.await().untilTrue(unlocked);

            assertThat(map.isLocked("42")).isFalse();
        }
    }

    private static ReservationManager manager(HazelcastInstance instance, Duration leaseTime) {
        return ReservationManager.hazelcast(instance).domain("orders").leaseTime(leaseTime).build();
    }

    private static final class NothingIsRemoved implements MapInterceptor {

        @Override
        public Object interceptRemove(Object removedValue) {
            throw new IllegalStateException("Nothing may be removed");
        }

        @Override
        public void afterRemove(Object oldValue) {}

        @Override
        public Object interceptGet(Object value) {
            return null;
        }

        @Override
        public void afterGet(Object value) {}

        @Override
        public Object interceptPut(Object oldValue, Object newValue) {
            return null;
        }

        @Override
        public void afterPut(Object value) {}
    }
}
