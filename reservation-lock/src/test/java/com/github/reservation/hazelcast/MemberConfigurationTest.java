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
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which members and configurations a manager refuses, and which it warns of. */
@Needs(Backend.HAZELCAST)
class MemberConfigurationTest {

    private static final String MAX_LEASE = "hazelcast.lock.max.lease.time.seconds";

    private static HazelcastInstance member;
    private static HazelcastInstance client;

    @BeforeAll
    static void start() {
        int port = MemberProcess.freePort();
        Config config = TestInstances.memberConfig(port, List.of(port));
        config.setProperty(MAX_LEASE, "10");
        config.getMapConfig("reservations-evicted").getEvictionConfig().setEvictionPolicy(EvictionPolicy.LRU);
        config.getMapConfig("reservations-idle").setMaxIdleSeconds(60);
        member = Hazelcast.newHazelcastInstance(config);
        client = TestInstances.client(port);
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        member.shutdown();
    }

    @Test
    void aMemberRefusesALeaseThatItsClusterDoesNotAllow() {
        assertThatThrownBy(() -> manager(member, "orders", Duration.ofSeconds(10)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("leaseTime is too long: PT10S and PT1.75S that are added to it; this cluster allows 10 "
                        + "seconds (" + MAX_LEASE + ")");
        manager(member, "orders", Duration.ofSeconds(8)).run("42", held -> {});
    }

    @Test
    void aClientIsToldByItsFirstLock() {
        try (ReservationManager manager = manager(client, "orders", Duration.ofSeconds(20))) {
            Reservation reservation = manager.getReservation("refused");

            assertThatThrownBy(reservation::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("Max allowed lease time: 10000ms");
            assertThatThrownBy(reservation::tryLock).isInstanceOf(ReservationAcquisitionException.class);
            assertThat(reservation.isLocked()).isFalse();
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

    @Test
    void aMapThatDropsValuesIsWarnedOf() {
        List<LogRecord> warnings = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                warnings.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("com.github.reservation");
        logger.addHandler(handler);
        try {
            manager(member, "plain", Duration.ofSeconds(2)).close();
            assertThat(warnings).isEmpty();
            manager(member, "evicted", Duration.ofSeconds(2)).close();
            manager(member, "idle", Duration.ofSeconds(2)).close();
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(warnings).extracting(LogRecord::getMessage).satisfiesExactly(
                first -> assertThat(first).contains("reservations-evicted"),
                second -> assertThat(second).contains("reservations-idle"));
    }

    private static ReservationManager manager(HazelcastInstance instance, String domain, Duration leaseTime) {
        return ReservationManager.hazelcast(instance).domain(domain).leaseTime(leaseTime).build();
    }
}
