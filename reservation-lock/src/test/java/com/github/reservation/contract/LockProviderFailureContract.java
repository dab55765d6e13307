// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of leases when the store fails, or a reply gets lost. */
public abstract class LockProviderFailureContract extends ContractTest {

    /** How often the core sends a call whose outcome is unknown. */
    private static final int ATTEMPTS = 6;

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    private ScriptedStore store;
    private LockProvider provider;

    /** The lock of the leases, seen by a node whose store does not fail. */
    private Reservation reservation;

    @BeforeEach
    void putTheScriptInFront() {
        store = new ScriptedStore(backend.store());
        provider = nodeOn(store).lockProvider();
        reservation = manager.getReservation("report");
    }

    @Test
    void acquireOnProviderFailure_throws() {
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> provider.acquireLock("report", "run-1", LEASE))
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageStartingWith("Failed to acquire reservation [test-domain::report]: ");
    }

    @Test
    void aReplyThatGotLostIsFoundOut() {
        store.loseNextReply(Op.ACQUIRE);

        LockLease lease = provider.acquireLock("report", "run-1", LEASE);

        assertThat(lease).isNotNull();
        store.loseNextReply(Op.RELEASE);
        provider.release(List.of(lease));
        assertThat(!reservation.isLocked()).isTrue();
    }

    @Test
    void aReleaseThatFailedIsRetriedInTheBackground() throws Exception {
        LockLease lease = Objects.requireNonNull(provider.acquireLock("report", "run-1", LONG_LEASE));
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> provider.release(List.of(lease)))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not release 1 of 1 leases; the release is retried in the background until they end");

        store.comeBack();
        backend.await("the release", () -> !reservation.isLocked());
    }

    @Test
    @Tag("renewal")
    void renewOnProviderFailure_throws() {
        LockLease lease = Objects.requireNonNull(provider.acquireLock("report", "run-1", LEASE));
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> provider.renew(List.of(lease), LEASE))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not renew 1 of 1 leases");
    }

    @Test
    @Tag("renewal")
    void oneFailureInABatchDoesNotSpoilTheOtherRenewals() {
        List<LockLease> leases = IntStream.range(0, 3)
                .mapToObj(i -> Objects.requireNonNull(provider.acquireLock("report-" + i, "run-" + i, LONG_LEASE)))
                .toList();
        for (int i = 0; i < ATTEMPTS; i++) {
            store.failNext(Op.RENEW, Kind.OUTCOME_UNKNOWN); // The batch,
        }
        store.failNext(Op.RENEW, Kind.OUTCOME_UNKNOWN); // and then the smaller half, which is one lease.

        List<LockLease> renewed = provider.renew(leases, LEASE);

        assertThat(renewed).extracting(LockLease::name).containsExactly("report-0", "report-1", "report-2");
        assertThat(renewed).filteredOn(leases::contains).as("as it was").hasSize(1);
    }

    @Test
    @Tag("renewal")
    void aLeaseAtWhichTheStoreCannotLookKeepsItsEnd() {
        List<LockLease> leases = IntStream.range(0, 3)
                .mapToObj(i -> Objects.requireNonNull(provider.acquireLock("report-" + i, "run-" + i, LONG_LEASE)))
                .toList();
        store.leaveUndecided(DOMAIN + "::report-1");

        List<LockLease> renewed = provider.renew(leases, LEASE);

        assertThat(renewed).extracting(LockLease::name).containsExactly("report-0", "report-1", "report-2");
        assertThat(renewed).filteredOn(leases::contains).containsExactly(leases.get(1));
        assertThatThrownBy(() -> provider.renew(List.of(leases.get(1)), LEASE))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not renew 1 of 1 leases")
                .hasCauseInstanceOf(StoreException.class);
    }

    @Test
    @Tag("renewal")
    void butNotBeyondIt() {
        LockLease lease = Objects.requireNonNull(provider.acquireLock("report", "run", LONG_LEASE));
        LockLease over = Objects.requireNonNull(provider.acquireLock("over", "run", LONG_LEASE));
        store.leaveUndecided(DOMAIN + "::over");

        assertThat(provider.renew(List.of(lease, new LockLease(over.name(), over.executionId(), 0)), LEASE))
                .extracting(LockLease::name)
                .containsExactly("report");
    }

    @Test
    void aReleaseThatFailsInPartReleasesTheRest_andSaysWhatFailed() throws Exception {
        List<LockLease> leases = IntStream.range(0, 3)
                .mapToObj(i -> provider.acquireLock("report-" + i, "run-" + i, Duration.ofMinutes(10)))
                .map(Objects::requireNonNull)
                .toList();
        for (int i = 0; i < ATTEMPTS + 3; i++) {
            store.failNext(Op.RELEASE, Kind.OUTCOME_UNKNOWN); // The batch, one lease, the other two, and one of these.
        }

        assertThatThrownBy(() -> provider.release(leases))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not release 2 of 3 leases; the release is retried in the background until they end")
                .hasCauseInstanceOf(StoreException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1).hasOnlyElementsOfType(StoreException.class));

        assertThat(leases).anyMatch(lease -> !manager.getReservation(lease.name()).isLocked());
        backend.await("the release of the others", () -> leases.stream()
                .noneMatch(lease -> manager.getReservation(lease.name()).isLocked()));
    }

    @Test
    void badArgumentsSayWhichRuleTheyBreak_andNothingIsSent() {
        LockLease lease = new LockLease("report", "run-1", 0);

        assertThatThrownBy(() -> provider.acquireLock(null, "run-1", LEASE))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("lockName must not be null");
        assertThatThrownBy(() -> provider.acquireLock("", "run-1", LEASE)).hasMessage("lockName must not be empty");
        assertThatThrownBy(() -> provider.acquireLock("a::b", "run-1", LEASE))
                .hasMessage("lockName must not contain '::', but is \"a::b\"");
        assertThatThrownBy(() -> provider.acquireLock("x".repeat(600), "run-1", LEASE))
                .hasMessageStartingWith("lockName is too long: domain::lockName has ");
        assertThatThrownBy(() -> provider.acquireLock("report", null, LEASE))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("executionId must not be null");
        assertThatThrownBy(() -> provider.acquireLock("report", "", LEASE)).hasMessage("executionId must not be empty");
        assertThatThrownBy(() -> provider.acquireLock("report", "x".repeat(257), LEASE))
                .hasMessageStartingWith("executionId is too long: it has 257 bytes in UTF-8, at most 256 are allowed");
        assertThatThrownBy(() -> provider.acquireLock("report", "run-1", Duration.ZERO))
                .hasMessage("leaseDuration must be positive, but is PT0S");
        assertThatThrownBy(() -> provider.renew(Arrays.asList(lease, null), LEASE))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("leases must not contain null, but element 1 is");
        assertThatThrownBy(() -> provider.renew(List.of(lease), Duration.ZERO))
                .hasMessage("leaseDuration must be positive, but is PT0S");
        assertThatThrownBy(() -> provider.release(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("leases must not be null");
        assertThatThrownBy(() -> provider.release(Arrays.asList(null, lease)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("leases must not contain null, but element 0 is");

        assertThat(Arrays.stream(Op.values()).mapToInt(store::calls).sum()).isZero();
    }

    @Test
    void whileTheReleaseOfItsLastLeaseIsPendingAnExecutionGetsNoOther() throws Exception {
        LockLease lease =
                Objects.requireNonNull(provider.acquireLock("report", "run-1", LONG_LEASE));
        store.goDown(Kind.UNAVAILABLE);
        assertThatThrownBy(() -> provider.release(List.of(lease))).isInstanceOf(ReservationException.class);

        assertThat(provider.acquireLock("report", "run-1", LEASE)).isNull();

        store.comeBack();
        backend.await("the release", () -> !reservation.isLocked());
        backend.await("another lease", () -> provider.acquireLock("report", "run-1", LEASE) != null);
    }

    @Test
    void aRefusalAfterALostRequestIsFollowedByARelease() throws Exception {
        assertThat(reservation.tryLock(Duration.ZERO, LONG_LEASE)).isTrue();
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);

        assertThat(provider.acquireLock("report", "run-1", LONG_LEASE)).isNull();

        backend.await("the request may arrive late, so it is released twice", () -> store.calls(Op.RELEASE) >= 2);
        reservation.unlock();
    }

    @Test
    void aReleaseOfALeaseThatWasAcquiredInDoubtIsRepeated() throws Exception {
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);
        LockLease lease = Objects.requireNonNull(provider.acquireLock("report", "run-1", LONG_LEASE));

        provider.release(List.of(lease));

        backend.await("the first request may arrive late", () -> store.calls(Op.RELEASE) >= 3);
    }

    @Test
    void anErrorAfterTheGrantLeavesNoGhost() throws Exception {
        store.next(Op.ACQUIRE, true, () -> {
            throw new StackOverflowError("Scripted");
        });

        assertThatThrownBy(() -> provider.acquireLock("report", "run-1", LONG_LEASE))
                .isInstanceOf(StackOverflowError.class);

        backend.await("the release", () -> !reservation.isLocked());
    }

    @Test
    @Tag("renewal")
    void aBatchOnAStoreThatCannotBeReachedIsSentOnce() {
        List<LockLease> leases = IntStream.range(0, 1_200)
                .mapToObj(i -> new LockLease("lock-" + i, "run-" + i, 0))
                .toList();
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> provider.renew(leases, LEASE))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not renew 1200 of 1200 leases");

        assertThat(store.calls(Op.RENEW)).isEqualTo(1);
    }

    @Test
    void theLeaseOfAnotherCallOfTheSameExecutionIsNotTakenForItsOwn() {
        assertThat(provider.acquireLock("report", "run-1", LONG_LEASE)).isNotNull();
        backend.passTime(LEASE.dividedBy(2));
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);

        assertThat(provider.acquireLock("report", "run-1", LONG_LEASE)).isNull();
    }

    @Test
    void norIsALongerOne_evenIfItWasJustGranted() {
        LockLease first = Objects.requireNonNull(provider.acquireLock("report", "run-1", LONG_LEASE));
        store.failNext(Op.ACQUIRE, Kind.OUTCOME_UNKNOWN);

        assertThat(provider.acquireLock("report", "run-1", LEASE)).isNull();

        assertThat(reservation.isLocked()).isTrue();
        provider.release(List.of(first));
        assertThat(reservation.isLocked()).isFalse();
    }

    @Test
    void aLostReplyIsFoundOut_ifTheStoreKeepsTheLeaseForLessThanWasAskedFor() {
        store.loseNextReply(Op.ACQUIRE);

        LockLease lease = provider.acquireLock("report", "run-1", Duration.ofDays(50_000));

        assertThat(lease).isNotNull();
        provider.release(List.of(lease));
        assertThat(reservation.isLocked()).isFalse();
    }
}
