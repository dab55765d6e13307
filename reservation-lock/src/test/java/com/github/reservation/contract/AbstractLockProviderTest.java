// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
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

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);
    private static final int MANY = 1_000;

    private LockProvider provider;
    private LockProvider other;

    @BeforeEach
    void provide() {
        provider = manager.lockProvider();
        other = otherNode.lockProvider();
    }

    private LockLease acquired(String name, String executionId) {
        return acquired(name, executionId, LEASE);
    }

    private LockLease acquired(String name, String executionId, Duration lease) {
        return Objects.requireNonNull(provider.acquireLock(name, executionId, lease));
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
        backend.passTime(LEASE.dividedBy(4));

        List<LockLease> renewed = provider.renew(List.of(lease), LEASE.multipliedBy(10));

        assertThat(renewed).hasSize(1);
        assertThat(renewed.getFirst().name()).isEqualTo("report");
        assertThat(renewed.getFirst().executionId()).isEqualTo("run-1");
        assertThat(renewed.getFirst().expiresAt()).isGreaterThan(lease.expiresAt());
        backend.passTime(LEASE);
        assertThat(other.acquireLock("report", "run-2", LEASE)).isNull();
    }

    @Test
    @Tag("renewal")
    void theThreeFieldsAreEnoughToRenewAndToRelease() {
        LockLease lease = acquired("report", "run-1");
        LockLease copy = new LockLease(lease.name(), lease.executionId(), lease.expiresAt());

        assertThat(other.renew(List.of(copy), LEASE.multipliedBy(10))).hasSize(1);
        backend.passTime(PAST_THE_LEASE);
        assertThat(isFree("report")).as("the first end does not count any more").isFalse();
        other.release(List.of(copy));

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @Tag("renewal")
    void renewNeverShortens() {
        LockLease lease = acquired("report", "run-1", LEASE.multipliedBy(10));

        assertThat(provider.renew(List.of(lease), LEASE)).hasSize(1);

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
            leases.add(acquired("report-" + i, "run-" + i, LONG_LEASE));
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
    void executionIdsThatDifferInCaseOrATrailingBlankAreDifferentHolders() {
        LockLease lease = acquired("report", "run-a", LONG_LEASE);

        List<LockLease> others = List.of(
                new LockLease("report", "RUN-A", lease.expiresAt()),
                new LockLease("report", "run-a ", lease.expiresAt()),
                new LockLease("report", "run-ä", lease.expiresAt()));
        assertThat(provider.renew(others, LEASE)).isEmpty();
        provider.release(others);

        assertThat(isFree("report")).isFalse();
    }

    @Test
    void aThreadThatWaitsForTheNameIsWokenByTheRelease() throws Exception {
        LockLease lease = acquired(ID, "run-1");
        Reservation reservation = manager.getReservation(ID);
        Actor waiter = actor("waiter");
        Future<?> locked = waiter.starts(() -> reservation.lock());
        awaitWaiters(manager, reservation, 1);

        provider.release(List.of(lease));

        Actor.result(locked);
        waiter.does(reservation::unlock);
    }

    @Test
    void anInterruptIsKeptForTheCaller() {
        Thread.currentThread().interrupt();
        LockLease lease = provider.acquireLock("report", "run-1", LEASE);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        provider.renew(List.of(Objects.requireNonNull(lease)), LEASE);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        provider.release(List.of(lease));

        assertThat(Thread.interrupted()).isTrue();
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
        for (int i = 0; i < backend.racingRounds(); i++) {
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
    void releaseOfManyLeasesRacingTheirRenewal_freesAllOfThem() {
        Actor renewing = actor("renewing");
        for (int i = 0; i < backend.racingRounds() / 20; i++) {
            String run = "run-" + i;
            List<LockLease> leases = IntStream.range(0, 5).mapToObj(n -> acquired("report-" + n, run)).toList();
            CountDownLatch go = new CountDownLatch(1);
            Future<List<LockLease>> renewed = renewing.starts(() -> {
                go.countDown();
                return provider.renew(leases.reversed(), LEASE);
            });
            Actor.awaitUninterruptibly(go);
            provider.release(leases);
            Actor.result(renewed);

            assertThat(manager.listReservations()).as("round " + i).isEmpty();
        }
    }

    @Test
    void duplicateLeasesInOneCall_tolerated() {
        LockLease lease = acquired("report", "run-1", LONG_LEASE);

        assertThat(provider.renew(List.of(lease, lease), LEASE)).hasSize(backend.canRenew() ? 1 : 0);
        provider.release(List.of(lease, lease));

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @Tag("renewal")
    void ofAThousandLeasesAThirdIsLost_andTheOthersAreRenewed() {
        List<LockLease> leases = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            leases.add(acquired("many-" + i, "run-" + i, LONG_LEASE));
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
    void afterCloseNothingIsAcquired_butLeasesCanBeRenewedAndReleased() {
        LockLease lease = acquired("report", "run-1");
        manager.close();

        assertThatThrownBy(() -> provider.acquireLock("other", "run-1", LEASE))
                .isInstanceOf(IllegalStateException.class);
        assertThat(provider.renew(List.of(lease), LEASE)).hasSize(backend.canRenew() ? 1 : 0);
        provider.release(List.of(lease));

        assertThat(otherNode.getReservation("report").isLocked()).isFalse();
    }

}
