// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.hazelcast.ClusterClock.Moment;
import com.github.reservation.internal.hazelcast.LeaseDecisions.Answer;
import com.github.reservation.internal.hazelcast.LeaseMap.Step;
import com.github.reservation.internal.hazelcast.LeaseMap.Tried;
import com.github.reservation.internal.hazelcast.OwnedLeases.Owned;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.List;
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
                LeaseDecisions.acquire(request("a-1")).on(null, at(0), List.of()).next());
    }

    private static boolean isGranted(MapRecord record, Moment now) {
        Step<Answer> step = LeaseDecisions.acquire(request("b-2")).on(record, now, List.of());
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
                LeaseDecisions.release(new LeaseId("42", "a-1"), null).on(held, at(1), List.of()).next());
        MapRecord again = Objects.requireNonNull(
                LeaseDecisions.acquire(request("b-2")).on(released, at(-LEASE), List.of()).next());
        MapRecord lost = Objects.requireNonNull(
                LeaseDecisions.acquire(request("c-3")).on(null, at(2), List.of()).next());

        assertThat(again.row().fence()).isEqualTo(held.row().fence() + 1);
        assertThat(lost.row().fence()).isGreaterThan(held.row().fence());
    }

    @Test
    void aHolderDoesNotGetItsKeyTwice_unlessItsOwnRequestWasRepeated() {
        MapRecord held = held();

        assertThat(LeaseDecisions.acquire(request("a-1")).on(held, at(1), List.of()).answer().acquisition())
                .isInstanceOf(Refused.class);
        assertThat(LeaseDecisions.acquire(request("a-1"))
                .on(held, at(1), List.of(new Tried(null, held)))
                .answer()
                .acquisition())
                .isInstanceOf(Granted.class);
        MapRecord another = Objects.requireNonNull(
                LeaseDecisions.acquire(request("a-1")).on(null, at(2), List.of()).next());
        assertThat(LeaseDecisions.acquire(request("a-1"))
                .on(held, at(3), List.of(new Tried(null, another)))
                .answer()
                .acquisition())
                .as("another process has the lease of the same name")
                .isInstanceOf(Refused.class);
    }

    @Test
    void aReleaseThatWasRepeatedIsNotALoss_butAReleaseByForceIs() {
        LeaseId lease = new LeaseId("42", "a-1");
        MapRecord held = held();
        var repeated = LeaseDecisions.release(lease, null);
        MapRecord released = Objects.requireNonNull(repeated.on(held, at(1), List.of()).next());
        var tooLate = LeaseDecisions.release(lease, null);
        MapRecord forced = Objects.requireNonNull(
                LeaseDecisions.forceRelease().on(held, at(1), List.of()).next());
        tooLate.on(held, at(2), List.of());

        assertThat(repeated.on(released, at(2), List.of(new Tried(held, released))).answer()).isTrue();
        assertThat(tooLate.on(forced, at(3), List.of(new Tried(held, released))).answer()).isFalse();
        assertThat(LeaseDecisions.release(lease, null).on(released, at(2), List.of()).answer()).isFalse();
    }

    @Test
    void aRenewalAfterTheEndIsRefused_alsoIfNobodyTookTheKey() {
        MapRecord held = held();
        LeaseId lease = new LeaseId("42", "a-1");

        assertThat(LeaseDecisions.renew(lease, Duration.ofSeconds(1)).on(held, at(LEASE), List.of()).answer())
                .isPresent();
        assertThat(LeaseDecisions.renew(lease, Duration.ofSeconds(1)).on(held, at(LEASE + UNSURE), List.of()).answer())
                .isEmpty();
    }

    @Test
    void theProcessThatAcquiredALeaseEndsItOnTime_butNotIfItWasRenewed() {
        LeaseId lease = new LeaseId("42", "a-1");
        MapRecord held = held();
        Owned owned = new Owned(lease, held, null, 0);
        MapRecord renewed = Objects.requireNonNull(LeaseDecisions.renew(lease, Duration.ofSeconds(10))
                .on(held, at(LEASE / 2), List.of())
                .next());

        assertThat(LeaseDecisions.end(owned).on(held, at(LEASE), List.of()).next()).isNotNull();
        assertThat(LeaseDecisions.end(owned).on(renewed, at(LEASE), List.of()).next()).isNull();
    }

    @Test
    void aRecordThatMembersHaveLostIsRestored_alsoItsLastRenewal_unlessAnotherHolderHasTheKey() {
        LeaseId lease = new LeaseId("42", "a-1");
        MapRecord held = held();
        MapRecord renewed = Objects.requireNonNull(LeaseDecisions.renew(lease, Duration.ofSeconds(10))
                .on(held, at(LEASE / 2), List.of())
                .next());
        MapRecord others = Objects.requireNonNull(
                LeaseDecisions.acquire(request("b-2")).on(null, at(1), List.of()).next());
        var restore = LeaseDecisions.restore(new Owned(lease, renewed, held, 0), () -> true);

        Step<Boolean> older = restore.on(held, at(LEASE / 2), List.of());
        Step<Boolean> gone = restore.on(null, at(LEASE / 2), List.of());

        assertThat(Objects.requireNonNull(older.next()).row()).isEqualTo(renewed.row());
        assertThat(Objects.requireNonNull(gone.next()).row()).isEqualTo(renewed.row());
        assertThat(restore.on(renewed, at(LEASE / 2), List.of()).next()).isNull();
        assertThat(restore.on(others, at(LEASE / 2), List.of()).answer()).isFalse();
    }

    @Test
    void aKeyIsForgottenADayAfterItsLastUse_howeverLongItsLeaseWas() {
        long day = Duration.ofDays(1).toNanos() / 1000;
        MapRecord held = held();
        MapRecord released = Objects.requireNonNull(LeaseDecisions.release(new LeaseId("42", "a-1"), null)
                .on(held, at(1), List.of())
                .next());

        assertThat(LeaseDecisions.isForgotten(held.row(), START + day, day)).isFalse();
        assertThat(LeaseDecisions.isForgotten(held.row(), START + UNSURE + LEASE + day + 1, day)).isTrue();
        assertThat(LeaseDecisions.isForgotten(released.row(), START + day + 2_000_000, day)).isTrue();
    }
}
