// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.store.LeaseId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an owned lock knows of its own end. */
class OwnedLockTest {

    private static final Duration LONG_AGO = Duration.ofSeconds(-10);

    @Test
    void aRenewalWithoutAnAnswerMayHaveGivenTheLockANewEnd() {
        OwnedLock lock = lock(LONG_AGO);
        assertThat(lock.isOverInHazelcast()).isTrue();

        lock.mayLastFor(Duration.ofMinutes(1));

        assertThat(lock.isOver()).isTrue();
        assertThat(lock.isOverInHazelcast()).isFalse();
    }

    @Test
    void aLeaseThatIsLostIsOver_evenIfItIsRenewedAfterwards() {
        OwnedLock lock = lock(Duration.ofMinutes(1));
        lock.endEarly();

        lock.extend(Duration.ofMinutes(2));

        assertThat(lock.isOver()).isTrue();
        assertThat(lock.remaining()).isZero();
        assertThat(lock.dueAt() - System.nanoTime()).isNotPositive();
    }

    private static OwnedLock lock(Duration leaseTime) {
        return new OwnedLock(new LeaseId("42", "holder"), LockOwner.of("42"), leaseTime);
    }
}
