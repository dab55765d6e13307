// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Database;
import com.github.reservation.oracle.LockingStrategy.LockInfo;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first promises through {@code oracle(…)}, and what there is only there. */
@SideBySide
class OracleReservationManagerTest extends AbstractReservationManagerTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final OracleModeDatabase oracle = new OracleModeDatabase();

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
            try (ReservationManager manager = on(new FailingStrategy(OracleErrors.ora(code)))) {
                assertThatThrownBy(manager.getReservation("42")::tryLock)
                        .as("a wrong set-up throws from tryLock: ORA %d", code)
                        .isInstanceOf(ReservationException.class)
                        .hasMessageContaining("Failed to acquire lock: orders::42");
            }
        }
        for (Throwable outage : new Throwable[]{OracleErrors.ora(16000), OracleErrors.ora(17002), new Exception()}) {
            try (ReservationManager manager = on(new FailingStrategy(outage))) {
                assertThat(manager.getReservation("42").tryLock()).isFalse();
                assertThatThrownBy(manager.getReservation("42")::lock).isInstanceOf(ReservationException.class);
            }
        }
    }

    @Test
    void anAcquisitionThatFailsIsToldInTheWordsOfThisBackend() {
        oracle.execute("DROP TABLE RESERVATION_LOCKS");
        try (ReservationManager table = createManager("orders", LEASE);
                ReservationManager strategy = on(new FailingStrategy(OracleErrors.ora(16000)))) {
            assertThatThrownBy(table.getReservation("42")::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageStartingWith("Database error acquiring reservation [orders::42]: ")
                    .hasMessageContaining("ORA-00942");
            assertThatThrownBy(strategy.getReservation("42")::lock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessage("Database error acquiring reservation [orders::42]: Failed to acquire lock: orders::42")
                    .rootCause()
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void whatTheDatabaseSaidIsFoundBehindWhatAStrategyUses() {
        RuntimeException wrapped = new IllegalStateException("As Spring does", OracleErrors.ora(942));
        LockingStrategy careless = new MapStrategy(Ticker.system()) {
            @Override
            public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) {
                throw wrapped;
            }
        };
        for (LockingStrategy strategy : List.of(new FailingStrategy(wrapped), careless)) {
            try (ReservationManager manager = on(strategy)) {
                assertThatThrownBy(manager.getReservation("42")::tryLock)
                        .as("a wrong set-up throws from tryLock")
                        .isInstanceOf(ReservationException.class);
            }
        }
    }

    @Test
    void causesThatGoRoundInACircleAreNotFollowedForEver() {
        Exception one = new Exception();
        one.initCause(new Exception(one));
        try (ReservationManager manager = on(new FailingStrategy(one))) {
            assertThat(manager.getReservation("42").tryLock()).isFalse();
        }
    }

    /** What a strategy that has just said "no" may say when it is asked who holds the key. */
    static Stream<Supplier<Optional<LockInfo>>> whoHoldsIt() {
        return Stream.of(
                Optional::empty,
                () -> Optional.of(new LockInfo("by another clock", Instant.EPOCH, Instant.EPOCH.plusSeconds(1))),
                () -> null,
                () -> {
                    throw new UnsupportedOperationException("Not written yet");
                });
    }

    @ParameterizedTest
    @MethodSource("whoHoldsIt")
    void aStrategyThatSaysNoIsNotAskedAgainWithoutAPause(Supplier<Optional<LockInfo>> whoHoldsIt) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        LockingStrategy refusing = new MapStrategy(Ticker.system()) {
            @Override
            public boolean tryAcquire(String reservationKey, String holder, Duration leaseTime) {
                asked.incrementAndGet();
                return false;
            }

            @Override
            public Optional<LockInfo> getLockInfo(String reservationKey) {
                return whoHoldsIt.get();
            }
        };
        try (ReservationManager manager = on(refusing)) {
            assertThat(manager.getReservation("42").tryLock(500, TimeUnit.MILLISECONDS)).isFalse();
        }

        assertThat(asked.get()).as("after 100 ms, 200 ms, and so on").isBetween(2, 10);
    }

    @Test
    void whoDoesNotWaitDoesNotAskForHowLong() {
        AtomicInteger asked = new AtomicInteger();
        LockingStrategy taken = new MapStrategy(Ticker.system()) {
            @Override
            public Optional<LockInfo> getLockInfo(String reservationKey) {
                asked.incrementAndGet();
                return super.getLockInfo(reservationKey);
            }
        };
        try (ReservationManager one = on(taken); ReservationManager other = on(taken)) {
            one.getReservation("42").lock();

            assertThat(other.getReservation("42").tryLock()).isFalse();
        }

        assertThat(asked.get()).isZero();
    }

    @Test
    void aStrategyThatReturnsNothingIsNamed() {
        LockingStrategy careless = new MapStrategy(Ticker.system()) {
            @Override
            public Optional<LockInfo> getLockInfo(String reservationKey) {
                return null;
            }

            @Override
            public Map<String, LockInfo> listLocks(String keyPrefix) {
                return null;
            }
        };
        try (ReservationManager manager = on(careless)) {
            assertThatThrownBy(manager.getReservation("42")::isLocked)
                    .isInstanceOf(ReservationException.class)
                    .rootCause()
                    .hasMessage(careless.getClass().getName() + ".getLockInfo returned null");
            assertThatThrownBy(manager::listReservations)
                    .isInstanceOf(ReservationException.class)
                    .rootCause()
                    .hasMessage(careless.getClass().getName() + ".listLocks returned null");
        }
    }

    @Test
    void aStrategyThatCannotListSaysSo() {
        try (ReservationManager manager = on(new FailingStrategy(new Exception()))) {
            assertThatThrownBy(manager::listReservations)
                    .isInstanceOf(ReservationException.class)
                    .rootCause()
                    .hasMessageContaining("cannot list: it does not override listLocks");
        }
    }

    @Test
    void aFreeKeyIsKeptForTheFirstInLineAsLongAsItMaySleep() {
        try (ReservationManager manager = ReservationManager.oracle(oracle.dataSource())
                .domain("orders")
                .maxPollInterval(Duration.ofMillis(900))
                .build()) {
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            oracle.execute("UPDATE RESERVATION_LOCKS SET waiters = '0123456789abcdef,'");

            reservation.unlock();

            String kept = oracle.query("SELECT DATEDIFF(MILLISECOND, SYS_EXTRACT_UTC(SYSTIMESTAMP), reserved_until)"
                    + " FROM RESERVATION_LOCKS");
            assertThat(Long.parseLong(kept)).isBetween(400L, 950L);
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
