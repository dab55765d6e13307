// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The examples of the page on leases. */
class LeaseExamplesTest {

    @Test
    void anExecutionAcquiresRenewsAndReleases() {
        try (ReservationManager jobs = ReservationManager.inMemory().domain("jobs").build()) {
            // @start region="leases"
            LockProvider locks = jobs.lockProvider();
            String executionId = UUID.randomUUID().toString(); // a new one for each acquisition
            LockLease lease = locks.acquireLock("nightly-report", executionId, Duration.ofMinutes(5));
            if (lease == null) {
                return; // another execution has the lock
            }
            try {
                printFirstHalf();
                if (locks.renew(List.of(lease), Duration.ofMinutes(5)).isEmpty()) {
                    throw new IllegalStateException("The lock is lost");
                }
                printSecondHalf();
            } finally {
                locks.release(List.of(lease));
            }
            // @end
            assertThat(jobs.getReservation("nightly-report").isLocked()).isFalse();
        }
    }

    private static void printFirstHalf() {}

    private static void printSecondHalf() {}
}
