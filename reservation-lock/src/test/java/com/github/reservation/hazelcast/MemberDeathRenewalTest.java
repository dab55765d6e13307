// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LostReservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One of three members falls silent, for longer than a lease and shorter than the others need to notice it. */
@SideBySide
@Needs(Backend.HAZELCAST)
class MemberDeathRenewalTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final List<String> KEYS = IntStream.range(0, 60).mapToObj(i -> "key-" + i).toList();

    private final List<LostReservation> lost = new CopyOnWriteArrayList<>();

    @Test
    void aSilentMemberDoesNotCostTheLocksOfTheOthers() throws Exception {
        try (ThreeMembers cluster = new ThreeMembers()) {
            HazelcastInstance client = cluster.client();
            try (ReservationManager manager = ReservationManager.hazelcast(client)
                    .domain("orders")
                    .leaseTime(LEASE)
                    .autoRenew(Duration.ofHours(1))
                    .build()) {
                manager.onLost(lost::add);
                KEYS.forEach(key -> manager.getReservation(key).lock());
                cluster.awaitBackups();
                MemberProcess silent = cluster.owner(client, KEYS.getFirst());
                List<String> ofTheOthers = KEYS.stream().filter(key -> cluster.owner(client, key) != silent).toList();
                assertThat(ofTheOthers).as("a test of two members").isNotEmpty();

                silent.freeze();
                TimeUnit.SECONDS.sleep(LEASE.toSeconds() + 5); // All leases end, unless they are renewed meanwhile.

                assertThat(lost.stream().map(LostReservation::identifier).filter(ofTheOthers::contains)).isEmpty();
                assertThat(ofTheOthers).allMatch(key -> manager.getReservation(key).isHeldByCurrentThread());
                silent.thaw();
            } finally {
                client.shutdown();
            }
        }
    }
}
