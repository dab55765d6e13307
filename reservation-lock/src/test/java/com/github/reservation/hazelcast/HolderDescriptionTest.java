// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The value in the map that says who holds a key: when it is there, and what it says. */
@Needs(Backend.HAZELCAST)
class HolderDescriptionTest {

    private static final String FORMAT =
            "holder=[^,]+-[0-9]+@[^,]+,acquired=[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z";

    private static HazelcastInstance member;
    private static IMap<String, String> map;

    @BeforeAll
    static void start() {
        member = TestInstances.member();
        map = member.getMap("reservations-orders");
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    private static ReservationManager manager(Duration leaseTime) {
        return ReservationManager.hazelcast(member).domain("orders").leaseTime(leaseTime).build();
    }

    @Test
    void debugValueMatchesDocumentedFormat() {
        Instant before = Instant.now().minusMillis(1);
        try (ReservationManager manager = manager(Duration.ofMinutes(1))) {
            manager.getReservation("42").lock();

            Awaitility.await().until(() -> map.containsKey("42"));

            assertThat(map.get("42")).matches(FORMAT).startsWith("holder=" + Thread.currentThread().getName() + "-");
            assertThat(Instant.parse(map.get("42").replaceFirst(".*,acquired=", ""))).isBetween(before, Instant.now());
            manager.getReservation("42").unlock();
        }
    }

    @Test
    void aThreadWithoutANameHasAValueToo() throws Exception {
        try (ReservationManager manager = manager(Duration.ofMinutes(1));
                Actor nameless = new Actor("")) {
            nameless.does(() -> manager.getReservation("nameless").lock());

            Awaitility.await().until(() -> map.containsKey("nameless"));

            assertThat(map.get("nameless")).matches(FORMAT).startsWith("holder=thread-");
            nameless.does(() -> manager.getReservation("nameless").unlock());
        }
    }

    @Test
    void innerUnlockKeepsDebugValue_andTheLastRemovesIt() {
        try (ReservationManager manager = manager(Duration.ofMinutes(1))) {
            Reservation reservation = manager.getReservation("reentrant");
            reservation.lock();
            reservation.lock();
            Awaitility.await().until(() -> map.containsKey("reentrant"));

            reservation.unlock();
            assertThat(map.get("reentrant")).isNotNull();
            reservation.unlock();

            assertThat(map.containsKey("reentrant")).isFalse();
            assertThat(map.isLocked("reentrant")).isFalse();
        }
    }

    @Test
    void theValueIsThereAsLongAsTheLeaseIs_andGoesWithIt() {
        try (ReservationManager manager = manager(Duration.ofSeconds(2))) {
            Reservation reservation = manager.getReservation("forgotten");
            reservation.lock();
            Awaitility.await().until(() -> map.containsKey("forgotten"));
            Awaitility.await().until(() -> !map.isLocked("forgotten"));

            assertThat(map.containsKey("forgotten")).isFalse();
        }
    }

    @Test
    void aLockThatIsGivenBackAtOnceLeavesNothing() throws Exception {
        try (ReservationManager manager = manager(Duration.ofMinutes(1))) {
            for (int i = 0; i < 100; i++) {
                manager.run("brief-" + i, held -> {});
            }
            manager.getReservation("later").lock();
            Awaitility.await().until(() -> map.containsKey("later"));

            assertThat(map.keySet()).doesNotContainAnyElementsOf(
                    IntStream.range(0, 100).mapToObj(i -> "brief-" + i).toList());
            manager.getReservation("later").unlock();
        }
    }

    @Test
    void anUnlockWhileTheValueIsWrittenLeavesNone() throws Exception {
        try (ReservationManager manager = manager(Duration.ofMinutes(1))) {
            Reservation reservation = manager.getReservation("racing");
            for (int i = 0; i < 25; i++) {
                reservation.lock();
                long end = System.nanoTime() + Duration.ofMillis(98).plusNanos(i * 250_000L).toNanos();
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                reservation.unlock();
                assertThat(map.containsKey("racing")).as("round " + i).isFalse();
            }
        }
    }

    @Test
    void aValueThatWasForcedAwayIsGone() {
        try (ReservationManager manager = manager(Duration.ofMinutes(1))) {
            manager.getReservation("forced").lock();
            Awaitility.await().until(() -> map.containsKey("forced"));

            manager.getReservation("forced").forceUnlock();

            assertThat(map.containsKey("forced")).isFalse();
        }
    }
}
