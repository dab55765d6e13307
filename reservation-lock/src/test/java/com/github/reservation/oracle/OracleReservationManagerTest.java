// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.jdbc.Database;
import com.github.reservation.jdbc.OracleErrors;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The first promises through {@code oracle(…)}, and what there is only there. */
class OracleReservationManagerTest extends AbstractReservationManagerTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final OracleMode oracle = new OracleMode();

    @Override
    protected ReservationManager createManager(String domain, Duration leaseTime) {
        return ReservationManager.oracle(oracle.dataSource()).domain(domain).leaseTime(leaseTime).build();
    }

    @Override
    protected void passTime(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            throw new AssertionError("A test was interrupted while it let time pass", e);
        }
    }

    @Override
    protected void cleanup() {
        oracle.close();
    }

    @Test
    void managersOfJdbcAndOfAStrategyOnTheSameTableExcludeEachOther() {
        try (ReservationManager ours = createManager("orders", LEASE);
                ReservationManager foundOut =
                        ReservationManager.jdbc(oracle.dataSource()).domain("orders").build();
                ReservationManager named = ReservationManager.jdbc(oracle.dataSource())
                        .database(Database.ORACLE)
                        .domain("orders")
                        .build();
                ReservationManager withStrategy = ReservationManager.oracle(oracle.dataSource())
                        .lockingStrategy(new TableBasedLockingStrategy(oracle.dataSource(), "RESERVATION_LOCKS"))
                        .domain("orders")
                        .build()) {
            ReservationManager[] all = {ours, foundOut, named, withStrategy};
            long token = 0;
            for (ReservationManager holder : all) {
                Reservation held = holder.getReservation("42");
                held.lock();
                assertThat(held.fencingToken().orElseThrow()).isGreaterThan(token);
                token = held.fencingToken().orElseThrow();
                for (ReservationManager other : all) {
                    if (other != holder) {
                        assertThat(other.getReservation("42").tryLock()).isFalse();
                    }
                }
                held.unlock();
            }
        }
    }

    @Test
    void theTableMayHaveAnotherName() {
        oracle.install("MY_LOCKS");
        try (ReservationManager manager = ReservationManager.oracle(oracle.dataSource())
                .domain("orders")
                .tableName("MY_LOCKS")
                .build()) {
            manager.getReservation("42").lock();

            assertThat(oracle.query("SELECT reservation_key FROM MY_LOCKS")).isEqualTo("orders::42");
            assertThat(oracle.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).isEqualTo("0");
        }
    }

    @Test
    void aRelockOnAStrategyThatCannotRenewOnlyCounts() throws InterruptedException {
        try (ReservationManager manager = on(new MapStrategy(Ticker.system()))) {
            Reservation reservation = manager.getReservation("42");
            assertThat(reservation.tryLock(Duration.ZERO, Duration.ofSeconds(30))).isTrue();

            assertThat(reservation.tryLock(Duration.ZERO, Duration.ofHours(1))).isTrue();

            assertThat(reservation.getHoldCount()).isEqualTo(2);
            assertThat(reservation.getRemainingLeaseTime()).isLessThanOrEqualTo(Duration.ofSeconds(30));
            assertThat(reservation.fencingToken()).isEmpty();
            assertThatThrownBy(reservation::renew)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("orders::42");
            reservation.unlock();
            assertThat(reservation.isLocked()).isTrue();
            reservation.unlock();
            assertThat(reservation.isLocked()).isFalse();
        }
    }

    @Test
    void aSubclassOfTheTablesStrategyIsAskedAndNotGoneAround() {
        class Refusing extends TableBasedLockingStrategy {
            Refusing() {
                super(oracle.dataSource(), "RESERVATION_LOCKS");
            }

            @Override
            public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime)
                    throws LockingException {
                return !reservationKey.endsWith("forbidden") && super.tryAcquire(reservationKey, holder, leaseTime);
            }
        }
        try (ReservationManager manager = on(new Refusing())) {
            assertThat(manager.getReservation("forbidden").tryLock()).isFalse();
            Reservation allowed = manager.getReservation("allowed");
            assertThat(allowed.tryLock()).isTrue();
            assertThat(allowed.renew(Duration.ofHours(1))).isTrue();
            assertThat(manager.listReservations()).hasSize(1);
            allowed.unlock();
        }
    }

    @Test
    void whatAStrategyThrowsIsToldByItsCode() {
        for (int code : new int[]{942, 12899, 1017}) {
            try (ReservationManager manager = on(new Failing(OracleErrors.ora(code)))) {
                assertThatThrownBy(manager.getReservation("42")::tryLock)
                        .as("a wrong set-up throws from tryLock: ORA %d", code)
                        .isInstanceOf(ReservationException.class)
                        .hasMessageContaining("Failed to acquire lock: orders::42");
            }
        }
        for (Throwable outage : new Throwable[]{OracleErrors.ora(16000), OracleErrors.ora(17002), new Exception()}) {
            try (ReservationManager manager = on(new Failing(outage))) {
                assertThat(manager.getReservation("42").tryLock()).isFalse();
                assertThatThrownBy(manager.getReservation("42")::lock).isInstanceOf(ReservationException.class);
            }
        }
    }

    @Test
    void aStrategyThatCannotListSaysSo() {
        try (ReservationManager manager = on(new Failing(new Exception()))) {
            assertThatThrownBy(manager::listReservations)
                    .isInstanceOf(ReservationException.class)
                    .rootCause()
                    .hasMessageContaining("cannot list: it does not override listLocks");
        }
    }

    @Test
    void metersAreTaggedWithTheBackend() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ReservationManager manager = ReservationManager.oracle(oracle.dataSource())
                .domain("orders")
                .meterRegistry(registry)
                .build()) {
            manager.getReservation("42").lock();

            assertThat(
                    registry.get("reservation.acquire").tags("backend", "oracle", "domain", "orders").timer().count())
                    .isOne();
        }
    }

    private ReservationManager on(LockingStrategy strategy) {
        return ReservationManager.oracle(oracle.dataSource()).domain("orders").lockingStrategy(strategy).build();
    }
}
