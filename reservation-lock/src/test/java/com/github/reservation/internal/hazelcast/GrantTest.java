// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.store.LeaseId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a grant knows of its own end. */
class GrantTest {

    private static final Duration LONG_AGO = Duration.ofSeconds(-10);

    @Test
    void aRenewalWithoutAnAnswerMayHaveGivenTheLockANewEnd() {
        Grant grant = grant(LONG_AGO);
        assertThat(grant.isOverInHazelcast()).isTrue();

        grant.mayLastFor(Duration.ofMinutes(1));

        assertThat(grant.isOver()).isTrue();
        assertThat(grant.isOverInHazelcast()).isFalse();
    }

    @Test
    void aGrantThatIsLostIsOver_evenIfItIsRenewedAfterwards() {
        Grant grant = grant(Duration.ofMinutes(1));
        grant.cutShort();

        grant.prolong(Duration.ofMinutes(2));

        assertThat(grant.isOver()).isTrue();
        assertThat(grant.remaining()).isZero();
        assertThat(grant.dueAt() - System.nanoTime()).isNotPositive();
    }

    private static Grant grant(Duration leaseTime) {
        return new Grant(new LeaseId("42", "holder"), Owner.of("42"), leaseTime);
    }
}
