// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two members lose the connection to the third. Hazelcast decides what happens then, and the user configures it: this test
 * shows it.
 */
@Needs(Backend.HAZELCAST)
class SplitBrainTest {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final int THIRD = SplitCluster.THIRD;

    private static final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private static final List<Reservation> ofTheMajority = new ArrayList<>();
    private static final List<Reservation> ofTheMinority = new ArrayList<>();
    private static SplitCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        cluster = new SplitCluster();
        ofTheMajority.add(held(cluster.member(0), "held by a member of the majority"));
        ofTheMajority.add(held(cluster.clientOfTheMajority(), "held by a client of the majority"));
        ofTheMinority.add(held(cluster.member(THIRD), "held by a member of the minority"));
        ofTheMinority.add(held(cluster.clientOfTheMinority(), "held by a client of the minority"));

        cluster.split();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Reservation held(HazelcastInstance instance, String identifier) throws InterruptedException {
        ReservationManager manager = manager(instance, "guarded");
        manager.onLost(lost::add);
        Reservation reservation = manager.getReservation(identifier);
        lock(reservation);
        return reservation;
    }

    /** Tries again for a while: on a busy machine one attempt may take longer than it may. */
    private static void lock(Reservation reservation) throws InterruptedException {
        assertThat(reservation.tryLock(30, TimeUnit.SECONDS)).isTrue();
    }

    private static ReservationManager manager(int member, String domain) {
        return manager(cluster.member(member), domain);
    }

    private static ReservationManager manager(HazelcastInstance instance, String domain) {
        return ReservationManager.hazelcast(instance).domain(domain).leaseTime(LEASE).build();
    }

    @Test
    void withoutProtectionBothSidesGrantTheSameKey() throws InterruptedException {
        Reservation majority = manager(0, "open").getReservation("42");
        Reservation minority = manager(THIRD, "open").getReservation("42");

        lock(majority);
        lock(minority);

        assertThat(majority.isHeldByCurrentThread()).isTrue();
        assertThat(minority.isHeldByCurrentThread()).as("two owners, this is what a split brain does").isTrue();
        majority.unlock();
        minority.unlock();
    }

    @Test
    void withProtectionTheMinorityFailsClearly_andTheMajorityGoesOn() throws InterruptedException {
        Reservation majority = manager(0, "guarded").getReservation("42");
        Reservation minority = manager(THIRD, "guarded").getReservation("42");

        lock(majority);

        assertThatThrownBy(minority::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("Split-brain protection: too few members are left of the cluster");
        assertThat(minority.tryLock()).isFalse();
        assertThatThrownBy(minority::isLocked).isInstanceOf(ReservationException.class);
        assertRefused(manager(1, "guarded").getReservation("42"));
        majority.unlock();
    }

    @Test
    void whatTheMajorityHeldItKeeps() {
        assertThat(ofTheMajority).allSatisfy(held -> {
            assertThat(held.isHeldByCurrentThread()).isTrue();
            assertThat(held.isLocked()).isTrue();
            assertRefused(manager(1, "guarded").getReservation(held.getIdentifier()));
        });
    }

    /** Checks that another owner has the key, which the cluster must say: {@code tryLock} is false without it too. */
    private static void assertRefused(Reservation reservation) {
        assertThat(reservation.tryLock()).isFalse();
        assertThat(reservation.isLocked()).isTrue();
    }

    /** The majority has a copy of every record, so it grants none of these keys before their leases end. */
    @Test
    void whatTheMinorityHeldItKeepsUntilItsLeaseEnds() {
        assertThat(ofTheMinority).allSatisfy(held -> {
            assertThat(held.isHeldByCurrentThread()).isTrue();
            assertRefused(manager(0, "guarded").getReservation(held.getIdentifier()));
            assertThatThrownBy(held::renew).isInstanceOf(ReservationException.class);
        });
        assertThat(lost).isEmpty();
    }
}
