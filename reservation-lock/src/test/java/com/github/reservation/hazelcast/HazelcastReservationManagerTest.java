// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.hazelcast.config.Config;
import com.hazelcast.core.DistributedObject;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The first promises through {@code hazelcast(…)} on a member in this JVM, and what only this backend has. */
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // Each test ends by destroying all that the member has.
@Needs(Backend.HAZELCAST)
class HazelcastReservationManagerTest extends AbstractReservationManagerTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private static HazelcastInstance member;

    @BeforeAll
    static void start() {
        int port = MemberProcess.freePort();
        Config config = TestInstances.memberConfig(port, List.of(port));
        config.setClusterName("test-" + UUID.randomUUID());
        member = Hazelcast.newHazelcastInstance(config);
    }

    @AfterAll
    static void stop() {
        member.shutdown();
    }

    @Override
    protected ReservationManager createManager(String domain, Duration leaseTime) {
        return ReservationManager.hazelcast(member).domain(domain).leaseTime(leaseTime).build();
    }

    @Override
    protected void passTime(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            throw new AssertionError("A test was interrupted while it let time pass", e);
        }
    }

    @Override
    protected void cleanup() {
        member.getDistributedObjects().forEach(DistributedObject::destroy);
    }

    @Test
    void theMapIsNamedAfterPrefixAndDomain_andItsKeyIsTheIdentifier() {
        try (ReservationManager manager =
                ReservationManager.hazelcast(member).mapPrefix("eu").domain("orders").build()) {
            Reservation reservation = manager.getReservation("42");
            reservation.lock();

            assertThat(reservation.getReservationKey()).isEqualTo("42");
            assertThat(member.<String, String>getMap("eu-orders").get("42"))
                    .matches(
                            "holder=\\S+-\\d+@\\S+/\\d+,acquired=\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z,.*");
            reservation.unlock();
            assertThat(member.<String, String>getMap("eu-orders").get("42")).startsWith("free,");
        }
    }

    @Test
    void managersOfOneDomainExcludeEachOther() {
        try (ReservationManager one = createManager("orders", LEASE);
                ReservationManager other = createManager("orders", LEASE)) {
            Reservation held = one.getReservation("42");
            held.lock();

            assertThat(other.getReservation("42").tryLock()).isFalse();
            held.unlock();
            assertThat(other.getReservation("42").tryLock()).isTrue();
        }
    }

    @Test
    void fencingTokensGrow_alsoWhenTheRecordIsGone() {
        Reservation reservation = manager.getReservation("42");
        reservation.lock();
        long first = reservation.fencingToken().orElseThrow();
        reservation.unlock();

        reservation.lock();
        long second = reservation.fencingToken().orElseThrow();
        reservation.unlock();
        member.getMap("reservations-test-domain").clear();
        reservation.lock();

        assertThat(second).isGreaterThan(first);
        assertThat(reservation.fencingToken().orElseThrow()).isGreaterThan(second);
    }

    @Test
    void closingTheManagerLeavesTheInstanceRunning() {
        createManager("orders", LEASE).close();

        assertThat(member.getLifecycleService().isRunning()).isTrue();
    }

    @Test
    void metersAreTaggedWithTheBackend() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ReservationManager manager = ReservationManager.hazelcast(member)
                .domain("orders")
                .meterRegistry(registry)
                .build()) {
            manager.getReservation("42").lock();

            assertThat(registry.get("reservation.acquire")
                    .tags("backend", "hazelcast", "domain", "orders")
                    .timer()
                    .count())
                    .isOne();
        }
    }

    @Test
    void badArgumentsAreRefused() {
        assertThatThrownBy(() -> ReservationManager.hazelcast(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("hazelcastInstance must not be null");
        assertThatThrownBy(() -> ReservationManager.hazelcast(member).mapPrefix(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("mapPrefix must not be null");
        assertThatThrownBy(() -> ReservationManager.hazelcast(member).mapPrefix(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mapPrefix must not be empty");
        assertThatThrownBy(() -> ReservationManager.hazelcast(member).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("domain must be set before building");
    }
}
