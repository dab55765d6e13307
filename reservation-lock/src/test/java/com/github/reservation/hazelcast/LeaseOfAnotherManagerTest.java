// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.lease.LockLease;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On Hazelcast a lease belongs to the manager that acquired it, whoever knows its three fields. */
@Needs(Backend.HAZELCAST)
class LeaseOfAnotherManagerTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final HazelcastInstance member = TestInstances.member();
    private final CallInterceptor interceptor = new CallInterceptor(member);
    private final ReservationManager first = manager(member);
    private final ReservationManager second = manager(interceptor.instance());

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain("jobs").leaseTime(LEASE).build();
    }

    @AfterEach
    void shutDown() {
        first.close();
        second.close();
        member.shutdown();
    }

    @Test
    void anotherManagerNeitherRenewsNorReleasesIt() {
        LockLease lease = Objects.requireNonNull(first.lockProvider().acquireLock("report", "run-1", LEASE));

        assertThat(second.lockProvider().renew(List.of(lease), LEASE)).isEmpty();
        second.lockProvider().release(List.of(lease));

        assertThat(first.getReservation("report").isLocked()).isTrue();
        assertThat(first.lockProvider().renew(List.of(lease), LEASE)).hasSize(1);
        first.lockProvider().release(List.of(lease));
        assertThat(second.getReservation("report").isLocked()).isFalse();
    }

    @Test
    void anIdIsNotTakenForTheNameOfAnUnknownHolder() {
        member.getMap("reservations-jobs").lock("report");
        interceptor.next("tryLock", real -> {
            throw new HazelcastException("no answer");
        });

        assertThat(second.lockProvider().acquireLock("report", "unknown-", LEASE)).isNull();
    }
}
