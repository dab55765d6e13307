// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cluster carries out an unlock although a client that was interrupted does not wait for the answer. */
@Needs(Backend.HAZELCAST)
class InterruptedUnlockTest {

    private static final String DOMAIN = "interrupted-unlock";

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);
    private final ReservationManager here = manager(interceptor.instance());
    private final ReservationManager there = manager(member);

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain(DOMAIN).leaseTime(Duration.ofHours(1)).build();
    }

    @AfterEach
    void stop() {
        here.close();
        there.close();
        member.shutdown();
    }

    @Test
    void theNextHolderIsShownAfterAnInterruptedUnlock() throws Exception {
        unlockInterrupted();

        Thread.ofPlatform().name("next").start(() -> there.getReservation("42").lock()).join();

        await().untilAsserted(() -> assertThat(here.findReservation("42"))
                .get()
                .extracting(ReservationInfo::holder)
                .asString()
                .startsWith("next-"));
    }

    @Test
    void noThreadIsLeftOfAClosedManagerAfterAnInterruptedUnlock() {
        unlockInterrupted();

        here.close();

        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("reservation-leases-reservations-" + DOMAIN)));
    }

    private void unlockInterrupted() {
        Reservation reservation = here.getReservation("42");
        reservation.lock();
        interceptor.next("unlock", real -> {
            real.call();
            Thread.currentThread().interrupt();
            throw new HazelcastException(new InterruptedException());
        });

        reservation.unlock();

        assertThat(Thread.interrupted()).isTrue();
    }
}
