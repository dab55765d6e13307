// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease that belongs to an execution: its client is cut off, or another process releases it. */
@SideBySide
@Needs(Backend.HAZELCAST)
class MemberDeathLeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final int CUT_OFF = 0;

    private BreakableCluster cluster;
    private ReservationManager first;
    private ReservationManager second;

    @BeforeEach
    void start() {
        cluster = new BreakableCluster();
        first = manager(cluster.client());
        second = manager(cluster.client());
    }

    private static ReservationManager manager(HazelcastInstance instance) {
        return ReservationManager.hazelcast(instance).domain("jobs").leaseTime(LEASE).build();
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
        cluster.close();
    }

    @Test
    void aLeaseLastsUntilItsEnd_alsoIfItsClientIsCutOff() throws Exception {
        LockProvider provider = first.lockProvider();
        LockLease lease = Objects.requireNonNull(provider.acquireLock("report", "run-1", LEASE));

        cluster.cut(CUT_OFF);
        TimeUnit.SECONDS.sleep(2); // The cut itself: long enough for the members to forget the client.
        cluster.mend();
        LockLease next = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> second.lockProvider().acquireLock("report", "run-2", LEASE), Objects::nonNull);

        assertThat(System.currentTimeMillis()).as("free").isGreaterThanOrEqualTo(lease.expiresAt());
        assertThat(provider.renew(List.of(lease), LEASE)).isEmpty();
        provider.release(List.of(lease));
        assertThat(second.lockProvider().renew(List.of(next), LEASE)).hasSize(1);
    }

    @Test
    void anotherProcessRenewsAndReleasesALeaseWhoseFieldsItKnows() {
        LockLease lease = Objects.requireNonNull(first.lockProvider().acquireLock("report", "run-1", LEASE));
        LockLease sent = new LockLease(lease.name(), lease.executionId(), lease.expiresAt());

        assertThat(second.lockProvider().renew(List.of(sent), LEASE)).hasSize(1);
        second.lockProvider().release(List.of(sent));

        assertThat(first.lockProvider().renew(List.of(lease), LEASE)).isEmpty();
        assertThat(first.lockProvider().acquireLock("report", "run-2", LEASE)).isNotNull();
    }
}
