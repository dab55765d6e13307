// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts the calls of the driver: one statement for each operation, and nothing hidden beside it. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class RoundTripsTest extends OnRecordedDatabase {

    @Test
    void theFirstUseOfATableIsTwoStatementsMore_onTheSameConnection() {
        ReservationManager other = database.manager(recorded.dataSource(), LEASE);

        other.getReservation("fresh").lock();

        assertThat(recorded.executions()).hasSize(2 + roundTrips.ofANewKey());
        assertThat(recorded.taken()).isEqualTo(1);
    }

    @Test
    void aLockIsOneStatement() {
        reservation.lock();

        roundTrips.assertOneStatement();
    }

    @Test
    void theFirstLockOfAKeyIsOneStatement_andTwoOnMySqlAndInOracleMode() {
        manager.getReservation("fresh").lock();

        roundTrips.assertStatements(roundTrips.ofANewKey());
    }

    @Test
    void aLockOfAKeyThatOnlyAnotherNodeHeldIsOneStatement_andTwoOnH2() {
        ReservationManager other = database.manager(recorded.dataSource(), LEASE);
        other.getReservation("43").lock();
        other.getReservation("43").unlock();
        recorded.clear();

        manager.getReservation("43").lock();
        roundTrips.assertStatements(roundTrips.insertsFirst() ? 2 : 1);

        manager.getReservation("43").unlock();
        recorded.clear();
        manager.getReservation("43").lock();
        roundTrips.assertOneStatement();
    }

    @Test
    void aTryLockThatIsGrantedIsOneStatement() throws InterruptedException {
        assertThat(reservation.tryLock()).isTrue();
        roundTrips.assertOneStatement();

        recorded.clear();
        assertThat(manager.getReservation("43").tryLock(1, TimeUnit.SECONDS)).isTrue();
        roundTrips.assertStatements(roundTrips.ofANewKey());
    }

    @Test
    void anUnlockIsOneStatement() {
        reservation.lock();
        recorded.clear();

        reservation.unlock();

        roundTrips.assertOneStatement();
    }

    @Test
    void aRenewalIsOneStatement() {
        reservation.lock();
        recorded.clear();

        assertThat(reservation.renew()).isTrue();

        roundTrips.assertOneStatement();
    }

    @Test
    void aReentryIsOneStatementAndItsUnlockNone() {
        reservation.lock();
        recorded.clear();

        reservation.lock();
        roundTrips.assertOneStatement();

        recorded.clear();
        reservation.unlock();
        assertThat(recorded.taken()).isZero();
    }

    @Test
    void aLookIsOneStatement() {
        reservation.lock();
        recorded.clear();

        assertThat(reservation.isLocked()).isTrue();
        roundTrips.assertOneStatement();

        recorded.clear();
        assertThat(manager.listReservations()).hasSize(1);
        roundTrips.assertOneStatement();
    }

    @Test
    void whatTheHolderKnowsIsNoStatement() {
        reservation.lock();
        recorded.clear();

        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(reservation.getRemainingLeaseTime()).isPositive();
        assertThat(reservation.fencingToken()).isPresent();

        assertThat(recorded.taken()).isZero();
    }

    @Test
    void aForcedUnlockIsOneStatement_andTwoOnMariaDbAndMySql() {
        reservation.lock();
        recorded.clear();

        reservation.forceUnlock();

        roundTrips.assertStatements(kind.isMySql() ? 2 : 1);
    }

    @Test
    void manyLeasesAreFewStatements_ifTheDatabaseCan() throws StoreException {
        JdbcLeaseStore leases = TestDatabase.leases(recorded.dataSource(), Optional.empty());
        List<LeaseId> ids =
                IntStream.range(0, 150).mapToObj(i -> new LeaseId("orders::many-" + i, "holder-" + i)).toList();
        for (LeaseId id : ids) {
            assertThat(leases.acquire(AcquireRequest.once(id, LEASE, "node"))).isInstanceOf(Granted.class);
        }

        recorded.clear();
        assertThat(leases.renew(ids, LEASE.multipliedBy(2)).renewed())
                .containsExactlyInAnyOrderElementsOf(ids);
        assertSent(switch (kind) {
            case POSTGRESQL -> List.of("execute");
            case MARIADB, MYSQL -> List.of("execute", "execute"); // 100 and 50
            case H2_IN_MEMORY, H2_FILE -> Collections.nCopies(ids.size(), "executeUpdate");
            case ORACLE_MODE -> List.of("executeBatch");
        });

        recorded.clear();
        assertThat(leases.release(ids)).containsExactlyInAnyOrderElementsOf(ids);
        assertSent(List.of(kind == Databases.POSTGRESQL ? "executeQuery" : "executeBatch"));

        assertThat(leases.release(ids)).isEmpty();
    }

    private void assertSent(List<String> executions) {
        assertThat(recorded.executions()).isEqualTo(executions);
        roundTrips.assertNothingHidden();
    }

    @Test
    void aThousandLeasesOfAProviderAreRenewedAndReleasedInOneCall() {
        assumeTrue(
                kind == Databases.H2_IN_MEMORY || kind == Databases.POSTGRESQL,
                "How many leases go together does not depend on the database, only whether one by one or as one statement");
        LockProvider provider = manager.lockProvider();
        List<LockLease> leases = IntStream.range(0, 1_000)
                .mapToObj(i -> Objects.requireNonNull(provider.acquireLock("many-" + i, "run-" + i, LEASE)))
                .toList();

        recorded.clear();
        assertThat(provider.renew(leases, LEASE)).hasSameSizeAs(leases);
        assertThat(recorded.executions()).hasSize(kind == Databases.POSTGRESQL ? 1 : leases.size());

        recorded.clear();
        provider.release(leases);
        assertThat(recorded.executions()).hasSize(1);
    }
}
