// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks that belong to an execution: acquired, renewed and released by its id. */
public abstract class AbstractLockProviderTest extends ContractTest {

    private static final Duration PAST_THE_LEASE = LEASE.plusMillis(500);
    private static final int MANY = 1_000;

    /** How often the core sends a call whose outcome is unknown. */
    private static final int ATTEMPTS = 6;

    private LockProvider provider;
    private LockProvider other;

    @BeforeEach
    void provide() {
        provider = manager.lockProvider();
        other = otherNode.lockProvider();
    }

    private LockLease acquired(String name, String executionId) {
        return Objects.requireNonNull(provider.acquireLock(name, executionId, LEASE));
    }

    private boolean isFree(String name) {
        return !manager.getReservation(name).isLocked();
    }

    @Test
    void acquireUnheld_returnsLease() {
        long before = backend.ticker().epochMillis();

        LockLease lease = provider.acquireLock("report", "run-1", LEASE);

        assertThat(lease).isNotNull();
        assertThat(lease.name()).isEqualTo("report");
        assertThat(lease.executionId()).isEqualTo("run-1");
        assertThat(lease.expiresAt())
                .isBetween(before + LEASE.toMillis(), backend.ticker().epochMillis() + LEASE.toMillis());
        assertThat(lease.expiry().toEpochMilli()).isEqualTo(lease.expiresAt());
        assertThat(isFree("report")).isFalse();
    }

    @Test
    void acquireHeld_returnsNull_alsoForSameExecutionId() {
        acquired("report", "run-1");

        assertThat(other.acquireLock("report", "run-2", LEASE)).isNull();
        assertThat(provider.acquireLock("report", "run-1", LEASE)).isNull();
    }

    @Test
    void acquireExpired_replacesLease() {
        acquired("report", "run-1");
        backend.passTime(PAST_THE_LEASE);

        assertThat(other.acquireLock("report", "run-2", LEASE)).isNotNull();
    }

    @Test
    void acquireOnProviderFailure_throws() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockProvider failing = nodeOn(store).lockProvider();
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> failing.acquireLock("report", "run-1", LEASE))
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageStartingWith("Failed to acquire lock [test-domain::report]: ");
    }

    @Test
    void concurrentAcquire_exactlyOneLease() {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<LockLease>> leases = IntStream.range(0, 8)
                .mapToObj(i -> actor("execution " + i).starts(() -> {
                    go.await();
                    return (i % 2 == 0 ? provider : other).acquireLock("report", "run-" + i, LEASE);
                }))
                .toList();

        go.countDown();

        assertThat(leases.stream().map(Actor::result).filter(Objects::nonNull)).hasSize(1);
    }

    @Test
    void leasesAndReservationsOfOneNameExcludeEachOther() {
        LockLease lease = acquired(ID, "run-1");
        Reservation reservation = otherNode.getReservation(ID);
        assertThat(reservation.tryLock()).isFalse();

        provider.release(List.of(lease));
        assertThat(reservation.tryLock()).isTrue();
        assertThat(provider.acquireLock(ID, "run-2", LEASE)).isNull();
        reservation.unlock();
    }

    @Test
    @Tag("renewal")
    void renewActive_extendsAndReturnsNewExpiry() {
        LockLease lease = acquired("report", "run-1");
        backend.passTime(LEASE.dividedBy(2));

        List<LockLease> renewed = provider.renew(List.of(lease), LEASE);

        assertThat(renewed).hasSize(1);
        assertThat(renewed.getFirst().name()).isEqualTo("report");
        assertThat(renewed.getFirst().executionId()).isEqualTo("run-1");
        assertThat(renewed.getFirst().expiresAt()).isGreaterThan(lease.expiresAt());
        backend.passTime(LEASE.multipliedBy(3).dividedBy(4));
        assertThat(other.acquireLock("report", "run-2", LEASE)).isNull();
    }

    @Test
    @Tag("renewal")
    void theThreeFieldsAreEnoughToRenewAndToRelease() {
        LockLease lease = acquired("report", "run-1");
        LockLease copy = new LockLease(lease.name(), lease.executionId(), lease.expiresAt());

        assertThat(other.renew(List.of(copy), LEASE)).hasSize(1);
        other.release(List.of(copy));

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @Tag("renewal")
    void renewNeverShortens() {
        LockLease lease = Objects.requireNonNull(provider.acquireLock("report", "run-1", LEASE.multipliedBy(10)));

        assertThat(provider.renew(List.of(lease), LEASE)).containsExactly(lease);

        backend.passTime(PAST_THE_LEASE);
        assertThat(other.acquireLock("report", "run-2", LEASE)).isNull();
    }

    @Test
    void renewExpiredReleasedUnknownForeign_silentlyOmitted() {
        LockLease expired = acquired("expired", "run-1");
        backend.passTime(PAST_THE_LEASE);
        LockLease released = acquired("released", "run-1");
        provider.release(List.of(released));
        acquired("foreign", "run-1");

        assertThat(provider.renew(
                List.of(
                        expired,
                        released,
                        new LockLease("unknown", "run-1", expired.expiresAt()),
                        new LockLease("foreign", "run-2", expired.expiresAt())),
                LEASE))
                .isEmpty();

        assertThat(isFree("expired")).isTrue();
        assertThat(isFree("released")).isTrue();
    }

    @Test
    @Tag("renewal")
    void renewPartial_returnsOnlyRenewed() {
        List<LockLease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            leases.add(acquired("report-" + i, "run-" + i));
        }
        provider.release(List.of(leases.get(1), leases.get(3)));

        assertThat(provider.renew(leases, LEASE))
                .extracting(LockLease::name)
                .containsExactly("report-0", "report-2", "report-4");
    }

    @Test
    void renewNeverResurrectsExpiredLease() {
        LockLease lease = acquired("report", "run-1");
        backend.passTime(PAST_THE_LEASE);

        assertThat(provider.renew(List.of(lease), LEASE)).isEmpty();

        assertThat(isFree("report")).isTrue();
    }

    @Test
    void releaseIsIdempotent() {
        LockLease lease = acquired("report", "run-1");

        provider.release(List.of(lease));
        provider.release(List.of(lease));

        assertThat(isFree("report")).isTrue();
        assertThat(other.acquireLock("report", "run-2", LEASE)).isNotNull();
    }

    @Test
    void releaseExpiredOrUnknown_doesNotFail() {
        LockLease expired = acquired("expired", "run-1");
        backend.passTime(PAST_THE_LEASE);

        provider.release(List.of(expired, new LockLease("unknown", "run-1", expired.expiresAt())));
        provider.release(List.of());

        assertThat(isFree("expired")).isTrue();
    }

    @Test
    void releaseOfExpiredLeaseDoesNotFreeNewHolder() {
        LockLease expired = acquired("report", "run-1");
        backend.passTime(PAST_THE_LEASE);
        assertThat(other.acquireLock("report", "run-2", LEASE.multipliedBy(10))).isNotNull();

        provider.release(List.of(expired));

        assertThat(isFree("report")).isFalse();
    }

    @Test
    void releaseRacingRenew_leavesLockFreeOrHeldNeverBroken() {
        Actor renewing = actor("renewing");
        for (int i = 0; i < 50; i++) {
            LockLease lease = acquired("report", "run-" + i);
            CountDownLatch go = new CountDownLatch(1);
            Future<List<LockLease>> renewed = renewing.starts(() -> {
                go.countDown();
                return provider.renew(List.of(lease), LEASE);
            });
            Actor.awaitUninterruptibly(go);
            provider.release(List.of(lease));
            Actor.result(renewed);

            assertThat(isFree("report")).as("round " + i).isTrue();
        }
    }

    @Test
    void duplicateLeasesInOneCall_tolerated() {
        LockLease lease = acquired("report", "run-1");

        assertThat(provider.renew(List.of(lease, lease), LEASE)).hasSize(backend.canRenew() ? 1 : 0);
        provider.release(List.of(lease, lease));

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @Tag("renewal")
    void ofAThousandLeasesAThirdIsLost_andTheOthersAreRenewed() {
        List<LockLease> leases = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            leases.add(Objects.requireNonNull(provider.acquireLock("many-" + i, "run-" + i, Duration.ofMinutes(10))));
        }
        List<LockLease> lost =
                leases.stream().filter(lease -> leases.indexOf(lease) % 3 == 0).toList();
        provider.release(lost);

        List<LockLease> renewed = provider.renew(leases, Duration.ofMinutes(20));

        assertThat(renewed).hasSize(MANY - lost.size()).extracting(LockLease::name).doesNotContainAnyElementsOf(
                lost.stream().map(LockLease::name).toList());
        provider.release(renewed);
        assertThat(manager.listReservations()).isEmpty();
    }

    @Test
    void aReplyThatGotLostIsFoundOut() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockProvider onScript = nodeOn(store).lockProvider();
        store.loseNextReply(Op.ACQUIRE);

        LockLease lease = onScript.acquireLock("report", "run-1", LEASE);

        assertThat(lease).isNotNull();
        store.loseNextReply(Op.RELEASE);
        onScript.release(List.of(lease));
        assertThat(isFree("report")).isTrue();
    }

    @Test
    void aReleaseThatFailedIsRetriedInTheBackground() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockProvider failing = nodeOn(store).lockProvider();
        LockLease lease = Objects.requireNonNull(failing.acquireLock("report", "run-1", Duration.ofMinutes(10)));
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> failing.release(List.of(lease)))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not release 1 of 1 leases; the release is retried in the background until they end");

        store.comeBack();
        backend.await("the release", () -> isFree("report"));
    }

    @Test
    @Tag("renewal")
    void renewOnProviderFailure_throws() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockProvider failing = nodeOn(store).lockProvider();
        LockLease lease = Objects.requireNonNull(failing.acquireLock("report", "run-1", LEASE));
        store.goDown(Kind.UNAVAILABLE);

        assertThatThrownBy(() -> failing.renew(List.of(lease), LEASE))
                .isInstanceOf(ReservationException.class)
                .hasMessage("Could not renew 1 of 1 leases");
    }

    @Test
    @Tag("renewal")
    void oneFailureInABatchDoesNotSpoilTheOtherRenewals() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockProvider failing = nodeOn(store).lockProvider();
        List<LockLease> leases = IntStream.range(0, 3)
                .mapToObj(i -> Objects.requireNonNull(failing.acquireLock("report-" + i, "run-" + i, LEASE)))
                .toList();
        for (int i = 0; i < ATTEMPTS; i++) {
            store.failNext(Op.RENEW, Kind.OUTCOME_UNKNOWN); // The batch,
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            store.failNext(Op.RENEW, Kind.OUTCOME_UNKNOWN); // and then the first lease alone.
        }

        assertThat(failing.renew(leases, LEASE)).extracting(LockLease::name).containsExactly("report-1", "report-2");
    }

    @Test
    void afterCloseNothingIsAcquired_butLeasesCanBeRenewedAndReleased() {
        LockLease lease = acquired("report", "run-1");
        manager.close();

        assertThatThrownBy(() -> provider.acquireLock("other", "run-1", LEASE))
                .isInstanceOf(IllegalStateException.class);
        assertThat(provider.renew(List.of(lease), LEASE)).hasSize(backend.canRenew() ? 1 : 0);
        provider.release(List.of(lease));

        assertThat(otherNode.getReservation("report").isLocked()).isFalse();
    }

    @Test
    void badArgumentsSayWhichRuleTheyBreak_andNothingIsSent() {
        ScriptedStore store = new ScriptedStore(backend.store());
        LockProvider counted = nodeOn(store).lockProvider();
        LockLease lease = new LockLease("report", "run-1", 0);

        assertThatThrownBy(() -> counted.acquireLock(null, "run-1", LEASE))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("lockName must not be null");
        assertThatThrownBy(() -> counted.acquireLock("", "run-1", LEASE)).hasMessage("lockName must not be empty");
        assertThatThrownBy(() -> counted.acquireLock("a::b", "run-1", LEASE))
                .hasMessage("lockName must not contain '::', but is \"a::b\"");
        assertThatThrownBy(() -> counted.acquireLock("x".repeat(600), "run-1", LEASE))
                .hasMessageStartingWith("lockName is too long: domain::lockName has ");
        assertThatThrownBy(() -> counted.acquireLock("report", null, LEASE))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("executionId must not be null");
        assertThatThrownBy(() -> counted.acquireLock("report", "", LEASE)).hasMessage("executionId must not be empty");
        assertThatThrownBy(() -> counted.acquireLock("report", "x".repeat(257), LEASE))
                .hasMessageStartingWith("executionId is too long: it has 257 bytes in UTF-8, at most 256 are allowed");
        assertThatThrownBy(() -> counted.acquireLock("report", "run-1", Duration.ZERO))
                .hasMessage("leaseDuration must be positive, but is PT0S");
        assertThatThrownBy(() -> counted.renew(Arrays.asList(lease, null), LEASE))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("leases must not contain null, but element 1 is");
        assertThatThrownBy(() -> counted.renew(List.of(lease), Duration.ZERO))
                .hasMessage("leaseDuration must be positive, but is PT0S");
        assertThatThrownBy(() -> counted.release(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("leases must not be null");

        assertThat(Arrays.stream(Op.values()).mapToInt(store::calls).sum()).isZero();
    }
}
