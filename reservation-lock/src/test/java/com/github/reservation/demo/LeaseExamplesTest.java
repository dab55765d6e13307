// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockExecutionResult.NotAcquired;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockManager;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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

    @Test
    void workRunsUnderALock() {
        try (ReservationManager jobs = ReservationManager.inMemory().domain("jobs").build()) {
            // @start region="pattern"
            LockExecutionResult<Void> result = jobs.tryLock("nightly-report", lock -> {
                printFirstHalf();
                lock.ensureHeld(); // throws if the lock was lost
                printSecondHalf();
            });
            if (!result.isExecuted()) {
                System.out.println("Another process prints the report");
            }
            // @end
            assertThat(result.isExecuted()).isTrue();
        }
    }

    /** The usage pattern of the specification, word for word but for its comments. */
    @Test
    void theUsagePatternOfTheSpecificationCompiles() {
        try (ReservationManager manager = ReservationManager.inMemory().domain("jobs").build()) {
            LockManager lockManager = manager;
            LockExecutionResult<Void> result = lockManager.tryLock("my-lock", (lock) -> {
                // Code to execute if lock acquired
            });
            assertThat(result.isExecuted()).isTrue();
        }
    }

    @Test
    void workHasAResultOptionsAndALossThatIsSeen() throws InterruptedException {
        try (ReservationManager jobs = ReservationManager.inMemory().domain("jobs").build()) {
            // @start region="options"
            LockOptions options = LockOptions.defaults()
                    .waitTime(Duration.ofSeconds(10)) // wait for the lock, but not longer
                    .leaseTime(Duration.ofSeconds(30)) // free the lock this soon if the process dies
                    .maxHold(Duration.ofMinutes(5)); // and this soon if the work hangs
            LockExecutionResult<Integer> result = jobs.tryCall("nightly-report", options, lock -> countPages());
            // @end
            // @start region="result"
            String message = switch (result) {
                case Executed<Integer> done when done.wasHeldToTheEnd() -> done.value() + " pages";
                case Executed<Integer> done -> "printed, but the lock was lost: " + done.lossReason();
                case NotAcquired<Integer> busy -> "another process is at it";
            };
            // @end
            assertThat(message).isEqualTo("12 pages");
        }
    }

    @Test
    void aHandleIsReleasedByAnotherThread() throws Exception {
        try (ReservationManager jobs = ReservationManager.inMemory().domain("jobs").build()) {
            // @start region="handle"
            HeldLock lock = jobs.acquire("nightly-report");
            CompletableFuture<Integer> pages = CompletableFuture.supplyAsync(() -> {
                lock.ensureHeld();
                return countPages();
            }).whenComplete((result, failure) -> lock.release());
            // @end
            assertThat(pages.get()).isEqualTo(12);
            assertThat(lock.isHeld()).isFalse();
        }
    }

    private static int countPages() {
        return 12;
    }

    private static void printFirstHalf() {}

    private static void printSecondHalf() {}
}
