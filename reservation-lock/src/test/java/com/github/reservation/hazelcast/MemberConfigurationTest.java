// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which members and configurations a manager refuses, and which it warns of. */
@Needs(Backend.HAZELCAST)
class MemberConfigurationTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private static HazelcastInstance member;
    private static HazelcastInstance client;

    @BeforeAll
    static void start() {
        int port = MemberProcess.freePort();
        Config config = TestInstances.memberConfig(port, List.of(port));
        config.getMapConfig("reservations-evicted").getEvictionConfig().setEvictionPolicy(EvictionPolicy.LRU);
        config.getMapConfig("reservations-idle").setMaxIdleSeconds(60);
        config.getMapConfig("reservations-short").setTimeToLiveSeconds(60);
        config.getMapConfig("reservations-stale").setReadBackupData(true);
        config.getMapConfig("reservations-near").setNearCacheConfig(new NearCacheConfig());
        member = Hazelcast.newHazelcastInstance(config);
        ClientConfig clientConfig = TestInstances.clientConfig(List.of(port));
        clientConfig.addNearCacheConfig(new NearCacheConfig("reservations-cached"));
        client = HazelcastClient.newHazelcastClient(clientConfig);
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        member.shutdown();
    }

    @ParameterizedTest
    @CsvSource({"evicted,eviction", "idle,max-idle-seconds", "short,time-to-live-seconds", "stale,read-backup-data",
            "near,near-cache"})
    void aMemberRefusesAMapThatWouldLoseLocks(String domain, String setting) {
        assertThatThrownBy(() -> manager(member, domain, LEASE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("reservations-" + domain)
                .hasMessageContaining(setting);
    }

    @ParameterizedTest
    @CsvSource({"idle,idle time", "short,time-to-live", "cached,near cache"})
    void aClientIsToldByItsFirstLock(String domain, String problem) {
        try (ReservationManager manager = manager(client, domain, LEASE)) {
            Reservation reservation = manager.getReservation("refused");

            assertThatThrownBy(reservation::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("reservations-" + domain)
                    .hasMessageContaining(problem);
            assertThatThrownBy(reservation::tryLock).isInstanceOf(ReservationAcquisitionException.class);
            assertThat(reservation.isLocked()).isFalse();
        }
    }

    @Test
    void aMapThatSomethingElseHasWrittenToIsRefused() {
        client.getMap("reservations-foreign").put("42", "something else");
        try (ReservationManager manager = manager(client, "foreign", LEASE)) {
            assertThatThrownBy(manager.getReservation("42")::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("has written to the map reservations-foreign");
        }
    }

    @Test
    void anInstanceThatIsShutDownIsRefused_andBreaksItsManagersClearly() {
        HazelcastInstance gone = TestInstances.client(member.getCluster().getLocalMember().getAddress().getPort());
        ReservationManager manager = manager(gone, "orders", Duration.ofSeconds(2));
        Reservation reservation = manager.getReservation("gone");
        reservation.lock();

        gone.shutdown();

        assertThat(reservation.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(() -> manager(gone, "orders", Duration.ofSeconds(2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("hazelcastInstance must be running, but is shut down");
        assertThatThrownBy(reservation::isLocked).isInstanceOf(ReservationException.class);
        assertThatThrownBy(reservation::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("The Hazelcast instance is shut down");
        manager.close();
    }

    private static ReservationManager manager(HazelcastInstance instance, String domain, Duration leaseTime) {
        return ReservationManager.hazelcast(instance).domain(domain).leaseTime(leaseTime).build();
    }
}
