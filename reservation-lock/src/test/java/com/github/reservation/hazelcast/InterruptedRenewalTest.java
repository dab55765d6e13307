// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A client's call that is interrupted is carried out all the same: to repeat it must not do it twice. */
@Needs(Backend.HAZELCAST)
class InterruptedRenewalTest {

    private static final int ROUNDS = 300;

    @Test
    void anInterruptedReLockNeverLetsAnotherIn() throws Exception {
        HazelcastInstance member = TestInstances.member();
        int port = member.getCluster().getLocalMember().getAddress().getPort();
        HazelcastInstance hereClient = TestInstances.client(port);
        HazelcastInstance thereClient = TestInstances.client(port);
        AtomicBoolean held = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        try (ReservationManager here = ReservationManager.hazelcast(hereClient).domain("orders").build();
                ReservationManager there = ReservationManager.hazelcast(thereClient).domain("orders").build()) {
            Thread other = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    Reservation reservation = there.getReservation("42");
                    reservation.lock();
                    if (held.get()) {
                        overlaps.incrementAndGet();
                    }
                    reservation.unlock();
                }
            });
            Thread self = Thread.currentThread();
            Reservation reservation = here.getReservation("42");
            for (int round = 0; round < ROUNDS; round++) {
                reservation.lock();
                reservation.lock();
                held.set(true);
                long moment = ThreadLocalRandom.current().nextLong(300_000);
                Thread interrupter = Thread.ofPlatform().start(() -> {
                    long start = System.nanoTime();
                    while (System.nanoTime() - start < moment) {
                        Thread.onSpinWait();
                    }
                    self.interrupt();
                });

                reservation.lock();

                while (interrupter.isAlive()) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
                held.set(false);
                reservation.unlock();
                reservation.unlock();
                reservation.unlock(); // Each of them would throw if the lease had been lost.
            }
            over.set(true);
            other.join(TimeUnit.SECONDS.toMillis(30));
        } finally {
            hereClient.shutdown();
            thereClient.shutdown();
            member.shutdown();
        }
        assertThat(overlaps).hasValue(0);
    }
}
