// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
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
    private static final int THIRD = 2;

    /** The ports that the third member, a client on its side and a client on the other side connect from. */
    private static final int RANGE = 20;

    private static final List<TcpProxy> proxies = new ArrayList<>();
    private static final List<HazelcastInstance> members = new ArrayList<>();
    private static final List<HazelcastInstance> clients = new ArrayList<>();
    private static final List<LostReservation> lost = new CopyOnWriteArrayList<>();
    private static final List<Reservation> ofTheMajority = new ArrayList<>();
    private static final List<Reservation> ofTheMinority = new ArrayList<>();

    @BeforeAll
    static void start() {
        int outbound = ThreadLocalRandom.current().nextInt(20_000, 30_000); // Other processes rarely connect from there.
        List<Integer> ports = List.of(MemberProcess.freePort(), MemberProcess.freePort(), MemberProcess.freePort());
        ports.forEach(port -> proxies.add(new TcpProxy(port)));
        List<Integer> entries = proxies.stream().map(TcpProxy::port).toList();
        for (int i = 0; i < ports.size(); i++) {
            Config config = TestInstances.memberConfig(ports.get(i), entries);
            config.getNetworkConfig().setPublicAddress("127.0.0.1:" + entries.get(i));
            if (i == THIRD) {
                config.getNetworkConfig().addOutboundPortDefinition(range(outbound));
            }
            members.add(Hazelcast.newHazelcastInstance(quickToNotice(protect(config))));
        }
        Awaitility.await().until(() -> members.getFirst().getCluster().getMembers().size() == 3);
        clients.add(client(entries, outbound + RANGE));
        clients.add(client(entries, outbound + 2 * RANGE));
        ofTheMajority.add(held(members.getFirst(), "held by a member of the majority"));
        ofTheMajority.add(held(clients.get(1), "held by a client of the majority"));
        ofTheMinority.add(held(members.get(THIRD), "held by a member of the minority"));
        ofTheMinority.add(held(clients.get(0), "held by a client of the minority"));
        Awaitility.await().until(members.getFirst().getPartitionService()::isClusterSafe);

        split(outbound);
    }

    private static String range(int first) {
        return first + "-" + (first + RANGE - 1);
    }

    private static HazelcastInstance client(List<Integer> entries, int outbound) {
        ClientConfig config = TestInstances.clientConfig(entries);
        config.getNetworkConfig().addOutboundPortDefinition(range(outbound));
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        Awaitility.await().until(() -> client.getCluster().getMembers().size() == 3);
        return client;
    }

    private static Reservation held(HazelcastInstance instance, String identifier) {
        ReservationManager manager = manager(instance, "guarded");
        manager.onLost(lost::add);
        Reservation reservation = manager.getReservation(identifier);
        reservation.lock();
        return reservation;
    }

    private static Config quickToNotice(Config config) {
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
        config.setProperty("hazelcast.max.no.heartbeat.seconds", "8");
        config.setProperty("hazelcast.merge.first.run.delay.seconds", "600");
        return config;
    }

    // This is what docs/backends/hazelcast.md recommends.
    private static Config protect(Config config) {
        config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("majority", true, 2));
        config.getMapConfig("reservations-guarded").setSplitBrainProtectionName("majority");
        return config;
    }

    private static void split(int outbound) {
        proxies.get(0).cut(from -> from >= outbound && from < outbound + 2 * RANGE);
        proxies.get(1).cut(from -> from >= outbound && from < outbound + 2 * RANGE);
        proxies.get(THIRD).cut(from -> from < outbound + RANGE || from >= outbound + 2 * RANGE);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(members)
                        .extracting(member -> member.getCluster().getMembers().size())
                        .containsExactly(2, 2, 1));
    }

    @AfterAll
    static void stop() {
        clients.forEach(client -> client.getLifecycleService().terminate());
        members.forEach(member -> member.getLifecycleService().terminate());
        proxies.forEach(TcpProxy::close);
    }

    private static ReservationManager manager(int member, String domain) {
        return manager(members.get(member), domain);
    }

    private static ReservationManager manager(HazelcastInstance instance, String domain) {
        return ReservationManager.hazelcast(instance).domain(domain).leaseTime(LEASE).build();
    }

    @Test
    void withoutProtectionBothSidesGrantTheSameKey() {
        Reservation majority = manager(0, "open").getReservation("42");
        Reservation minority = manager(THIRD, "open").getReservation("42");

        majority.lock();
        minority.lock();

        assertThat(majority.isHeldByCurrentThread()).isTrue();
        assertThat(minority.isHeldByCurrentThread()).as("two owners, this is what a split brain does").isTrue();
        majority.unlock();
        minority.unlock();
    }

    @Test
    void withProtectionTheMinorityFailsClearly_andTheMajorityGoesOn() {
        Reservation majority = manager(0, "guarded").getReservation("42");
        Reservation minority = manager(THIRD, "guarded").getReservation("42");

        majority.lock();

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

    @Test
    void whatTheMinorityHeldIsLost_andItsHoldersAreTold() {
        Awaitility.await().until(() -> lost.size() >= 2);

        assertThat(lost).allSatisfy(loss -> assertThat(loss.reason()).isEqualTo(LossReason.DISCONNECTED))
                .extracting(LostReservation::identifier)
                .containsExactlyInAnyOrder("held by a member of the minority", "held by a client of the minority");
        assertThat(ofTheMinority).allSatisfy(held -> {
            assertThat(held.isHeldByCurrentThread()).isFalse();
            Reservation freed = manager(0, "guarded").getReservation(held.getIdentifier());
            assertThat(freed.tryLock(20, TimeUnit.SECONDS)).as("the majority frees it").isTrue();
            freed.unlock();
        });
    }
}
