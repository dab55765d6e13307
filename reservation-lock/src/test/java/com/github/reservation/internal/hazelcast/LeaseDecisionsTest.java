// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.internal.hazelcast.LeaseDecisions.Answer;
import com.github.reservation.internal.hazelcast.LeaseMap.Step;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.Acquisition.Refused;
import com.github.reservation.internal.store.LeaseId;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What becomes of a record, when the time is only known as an interval. */
class LeaseDecisionsTest {

    private static final long START = 1_735_732_800_000_000L;
    private static final long LEASE = 10_000_000;
    private static final long UNSURE = 2_000;

    private static AcquireRequest request(String holder) {
        return AcquireRequest.once(new LeaseId("42", holder), Duration.ofSeconds(10), AcquireRequest.NO_NODE);
    }

    private static Moment at(long micros) {
        return new Moment(START + micros, START + micros + UNSURE);
    }

    private static MapRecord held() {
        return Objects.requireNonNull(
                LeaseDecisions.acquire(request("a-1")).on(null, at(0), null).next());
    }

    private static boolean isGranted(MapRecord record, Moment now) {
        Step<Answer> step = LeaseDecisions.acquire(request("b-2")).on(record, now, null);
        return step.answer().acquisition() instanceof Granted;
    }

    @Test
    void aLeaseEndsByTheLateEndOfTheTime_andIsOverByTheEarlyOneAndTheDifferenceOfClocks() {
        MapRecord held = held();

        assertThat(held.row().endsAt()).isEqualTo(START + UNSURE + LEASE);
        assertThat(isGranted(held, at(UNSURE + LEASE + 499_999))).isFalse();
        assertThat(isGranted(held, at(UNSURE + LEASE + 500_000))).isTrue();
    }

    @Test
    void fencesGrow_alsoWhenTheClockIsSetBack_andWhenTheRecordIsLost() {
        MapRecord held = held();
        MapRecord released = Objects.requireNonNull(
                LeaseDecisions.release(new LeaseId("42", "a-1"), null).on(held, at(1), null).next());
        MapRecord again = Objects.requireNonNull(
                LeaseDecisions.acquire(request("b-2")).on(released, at(-LEASE), null).next());
        MapRecord lost = Objects.requireNonNull(
                LeaseDecisions.acquire(request("c-3")).on(null, at(2), null).next());

        assertThat(again.row().fence()).isEqualTo(held.row().fence() + 1);
        assertThat(lost.row().fence()).isGreaterThan(held.row().fence());
    }

    @Test
    void aHolderDoesNotGetItsKeyTwice_unlessItsOwnRequestWasRepeated() {
        MapRecord held = held();

        assertThat(LeaseDecisions.acquire(request("a-1")).on(held, at(1), null).answer().acquisition())
                .isInstanceOf(Refused.class);
        assertThat(LeaseDecisions.acquire(request("a-1")).on(held, at(1), held).answer().acquisition())
                .isInstanceOf(Granted.class);
    }

    @Test
    void aReleaseThatWasRepeatedIsNotALoss_butAReleaseByForceIs() {
        LeaseId lease = new LeaseId("42", "a-1");
        MapRecord held = held();
        var repeated = LeaseDecisions.release(lease, null);
        MapRecord released = Objects.requireNonNull(repeated.on(held, at(1), null).next());
        var tooLate = LeaseDecisions.release(lease, null);
        MapRecord forced = Objects.requireNonNull(
                LeaseDecisions.forceRelease().on(held, at(1), null).next());
        tooLate.on(held, at(2), null);

        assertThat(repeated.on(released, at(2), held).answer()).isTrue();
        assertThat(tooLate.on(forced, at(3), held).answer()).isFalse();
        assertThat(LeaseDecisions.release(lease, null).on(released, at(2), null).answer()).isFalse();
    }

    @Test
    void aRenewalAfterTheEndIsRefused_alsoIfNobodyTookTheKey() {
        MapRecord held = held();
        LeaseId lease = new LeaseId("42", "a-1");

        assertThat(LeaseDecisions.renew(lease, Duration.ofSeconds(1)).on(held, at(LEASE), null).answer()).isPresent();
        assertThat(LeaseDecisions.renew(lease, Duration.ofSeconds(1)).on(held, at(LEASE + UNSURE), null).answer())
                .isEmpty();
    }
}
