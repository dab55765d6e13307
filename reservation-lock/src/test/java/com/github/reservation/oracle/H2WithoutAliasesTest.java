// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.AbstractReservationManagerTest;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** {@code oracle(…)} on an H2 as it comes, with none of Oracle's functions added: what users have in their tests. */
@SideBySide
@Needs(Backend.H2)
class H2WithoutAliasesTest {

    @Nested
    class InItsOwnMode extends OnH2 {
        InItsOwnMode() {
            super("", "h2");
        }
    }

    @Nested
    class InOracleMode extends OnH2 {
        InOracleMode() {
            super(";MODE=Oracle", "h2");
        }
    }

    @Nested
    class InOracleModeWithTheTableOfOracle extends OnH2 {
        InOracleModeWithTheTableOfOracle() {
            super(";MODE=Oracle", "oracle");
        }
    }

    abstract static class OnH2 extends AbstractReservationManagerTest {

        private static final String KEY = "orders::42";
        private static final Duration LEASE = Duration.ofMinutes(1);

        private final HikariDataSource pool = new HikariDataSource();

        OnH2(String mode, String ddl) {
            pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + mode);
            pool.setMaximumPoolSize(5);
            execute(Ddl.of(ddl));
        }

        private void execute(String script) {
            try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
                statement.execute(script);
            } catch (SQLException e) {
                throw new AssertionError("Could not run " + script, e);
            }
        }

        @Override
        protected ReservationManager createManager(String domain, Duration leaseTime) {
            return ReservationManager.oracle(pool).domain(domain).leaseTime(leaseTime).build();
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
            pool.close();
        }

        @Test
        void theStrategyAloneDoesAllThatItPromises() throws LockingException {
            TableBasedLockingStrategy strategy = new TableBasedLockingStrategy(pool, "RESERVATION_LOCKS");

            assertThat(strategy.tryAcquire(KEY, "one", LEASE)).isTrue();
            assertThat(strategy.tryAcquire(KEY, "other", LEASE)).isFalse();
            assertThat(strategy.renew(KEY, "one", LEASE)).isTrue();
            assertThat(strategy.renew(KEY, "other", LEASE)).isFalse();
            assertThat(strategy.getLockInfo(KEY).orElseThrow().holder()).isEqualTo("one");
            assertThat(strategy.listLocks("orders::")).containsOnlyKeys(KEY);
            assertThat(strategy.release(KEY, "other")).isFalse();
            assertThat(strategy.release(KEY, "one")).isTrue();
            assertThat(strategy.tryAcquire(KEY, "other", LEASE)).isTrue();
            strategy.forceRelease(KEY);
            assertThat(strategy.isLocked(KEY)).isFalse();
            execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00'");
            assertThat(strategy.deleteExpired(10)).isOne();
        }

        @Test
        void managersOfBothKindsExcludeEachOtherAndTheFencesGrow() {
            try (ReservationManager jdbc = ReservationManager.jdbc(pool).domain(DEFAULT_DOMAIN).build()) {
                Reservation here = manager.getReservation("42");
                Reservation there = jdbc.getReservation("42");

                here.lock();
                long first = here.fencingToken().orElseThrow();
                assertThat(there.tryLock()).isFalse();
                here.unlock();

                assertThat(there.tryLock()).isTrue();
                assertThat(there.fencingToken().orElseThrow()).isGreaterThan(first);
                there.unlock();
            }
        }

        @Test
        void aMissingTableIsToldWithTheCommandForH2() {
            execute("DROP TABLE RESERVATION_LOCKS");

            assertThatThrownBy(manager.getReservation("42")::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("java -jar reservation-lock.jar ddl h2");
        }
    }
}
