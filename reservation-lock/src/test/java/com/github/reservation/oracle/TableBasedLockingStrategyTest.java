// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.oracle.LockingStrategy.LockInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table's strategy on its own, as somebody uses it without a manager: on the full table, and on one of four columns. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class TableBasedLockingStrategyTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final String KEY = "orders::42";

    private final OracleModeDatabase oracle = new OracleModeDatabase();
    private final TableBasedLockingStrategy strategy =
            new TableBasedLockingStrategy(oracle.dataSource(), "RESERVATION_LOCKS");

    @Parameter
    private boolean hasFourColumns;

    @BeforeEach
    void open() {
        if (hasFourColumns) {
            oracle.execute("ALTER TABLE RESERVATION_LOCKS DROP COLUMN fence, waiters, reserved_until");
        }
    }

    @AfterEach
    void close() {
        oracle.close();
    }

    @Test
    void aLockHasOneHolder() throws LockingException {
        assertThat(strategy.tryAcquire(KEY, "one", LEASE)).isTrue();

        assertThat(strategy.tryAcquire(KEY, "other", LEASE)).isFalse();
        assertThat(strategy.tryAcquire(KEY, "one", LEASE)).as("not even the same one again").isFalse();
        assertThat(strategy.isLocked(KEY)).isTrue();
        assertThat(strategy.isLocked("orders::43")).isFalse();
    }

    @Test
    void onlyItsHolderReleasesALock() throws LockingException {
        strategy.tryAcquire(KEY, "one", LEASE);

        assertThat(strategy.release(KEY, "other")).isFalse();
        assertThat(strategy.isLocked(KEY)).isTrue();
        assertThat(strategy.release(KEY, "one")).isTrue();
        assertThat(strategy.release(KEY, "one")).as("a second time").isFalse();
        assertThat(strategy.isLocked(KEY)).isFalse();
        assertThat(strategy.tryAcquire(KEY, "other", LEASE)).isTrue();
    }

    @Test
    void aLockWhoseTimeIsOverIsNotHeld() throws LockingException {
        strategy.tryAcquire(KEY, "one", LEASE);
        end(KEY);

        assertThat(strategy.isLocked(KEY)).isFalse();
        assertThat(strategy.getLockInfo(KEY)).isEmpty();
        assertThat(strategy.release(KEY, "one")).isFalse();
        assertThat(strategy.renew(KEY, "one", LEASE)).as("does not come back to life").isFalse();
        assertThat(strategy.tryAcquire(KEY, "other", LEASE)).isTrue();
        assertThat(strategy.release(KEY, "one")).isFalse();
        assertThat(strategy.isLocked(KEY)).as("the next holder is left alone").isTrue();
    }

    @Test
    void aLockCanBeRenewedByItsHolderAndNeverGetsShorter() throws LockingException {
        strategy.tryAcquire(KEY, "one", LEASE);

        assertThat(strategy.renew(KEY, "one", LEASE.multipliedBy(10))).isTrue();
        assertThat(strategy.renew(KEY, "one", Duration.ofSeconds(1))).isTrue();
        assertThat(strategy.renew(KEY, "other", LEASE)).isFalse();

        assertThat(strategy.getLockInfo(KEY).orElseThrow().remainingLeaseTime())
                .isGreaterThan(LEASE.multipliedBy(9));
    }

    @Test
    void anybodyCanForceALock() throws LockingException {
        strategy.tryAcquire(KEY, "one", LEASE);

        strategy.forceRelease(KEY);
        strategy.forceRelease("orders::nobody-has-it");

        assertThat(strategy.isLocked(KEY)).isFalse();
        assertThat(strategy.release(KEY, "one")).isFalse();
    }

    @Test
    void aGrantLeavesTheNodesInLineAsTheyAre() throws LockingException {
        assumeThat(hasFourColumns).isFalse();
        strategy.tryAcquire(KEY, "one", LEASE);
        strategy.release(KEY, "one");
        oracle.execute("UPDATE RESERVATION_LOCKS SET waiters = '0123456789abcdef,fedcba9876543210,',"
                + " reserved_until = TIMESTAMP '2001-01-01 00:00:00'");

        assertThat(strategy.tryAcquire(KEY, "two", LEASE)).isTrue();

        assertThat(oracle.query("SELECT waiters FROM RESERVATION_LOCKS"))
                .as("but for the first one, that let its turn pass")
                .isEqualTo("fedcba9876543210,");
    }

    @Test
    void theInfoTellsWhoSinceWhenAndForHowLong() throws LockingException {
        strategy.tryAcquire(KEY, "one", LEASE);
        strategy.tryAcquire("users::42", "two", LEASE);

        LockInfo info = strategy.getLockInfo(KEY).orElseThrow();

        assertThat(info.holder()).isEqualTo("one");
        assertThat(info.acquiredAt()).isCloseTo(Instant.now(), within(10, ChronoUnit.SECONDS));
        assertThat(info.expiresAt()).isCloseTo(Instant.now().plus(LEASE), within(10, ChronoUnit.SECONDS));
        assertThat(info.remainingLeaseTime()).isPositive().isLessThanOrEqualTo(LEASE);
        assertThat(strategy.listLocks("orders::")).containsOnlyKeys(KEY);
        assertThat(strategy.listLocks("")).extractingByKeys(KEY, "users::42").extracting(LockInfo::holder)
                .containsExactly("one", "two");
    }

    @Test
    void whatRemainsIsNeverNegative() {
        LockInfo over = new LockInfo("one", Instant.EPOCH, Instant.now().minusSeconds(1));

        assertThat(over.remainingLeaseTime()).isZero();
    }

    @Test
    void anInfoIsWhole() {
        Instant now = Instant.now();

        assertThatNullPointerException()
                .isThrownBy(() -> new LockInfo(null, now, now))
                .withMessage("holder must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> new LockInfo("one", null, now))
                .withMessage("acquiredAt must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> new LockInfo("one", now, null))
                .withMessage("expiresAt must not be null");
    }

    @Test
    void ofManyThatWantALockAtOnceOneGetsIt() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 50; round++) {
                String key = "orders::" + round % 25; // The second time round there is a row.
                CyclicBarrier together = new CyclicBarrier(8);
                List<Future<Boolean>> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    String holder = "holder-" + i;
                    answers.add(threads.submit(() -> {
                        together.await();
                        return strategy.tryAcquire(key, holder, LEASE);
                    }));
                }
                int winners = 0;
                for (Future<Boolean> answer : answers) {
                    winners += answer.get() ? 1 : 0;
                }
                assertThat(winners).isOne();
                strategy.forceRelease(key);
            }
        }
    }

    @Test
    void expiredRowsAreDeletedUpToTheLimitIfTheyAreOldEnough() throws LockingException {
        for (int i = 0; i < 5; i++) {
            strategy.tryAcquire("orders::" + i, "one", LEASE);
        }
        end("orders::0");
        end("orders::1");
        end("orders::2");
        assertThat(strategy.deleteExpired(10)).as("acquired in the last hour").isZero();

        oracle.execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00'");
        assertThat(strategy.deleteExpired(2)).isEqualTo(2);
        assertThat(strategy.deleteExpired(2)).isEqualTo(1);
        assertThat(strategy.deleteExpired(2)).isZero();

        assertThat(strategy.isLocked("orders::3")).isTrue();
        assertThat(strategy.isLocked("orders::4")).isTrue();
        assertThat(oracle.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).isEqualTo("2");
    }

    @Test
    void aFailureSaysWhatItWasAndKeepsItsCause() {
        oracle.execute("DROP TABLE RESERVATION_LOCKS");
        Map<String, Attempt> attempts = Map.of(
                "Failed to acquire lock: " + KEY, () -> strategy.tryAcquire(KEY, "one", LEASE),
                "Failed to release lock: " + KEY, () -> strategy.release(KEY, "one"),
                "Failed to renew lock: " + KEY, () -> strategy.renew(KEY, "one", LEASE),
                "Failed to force release lock: " + KEY, () -> strategy.forceRelease(KEY),
                "Failed to get lock info: " + KEY, () -> strategy.isLocked(KEY),
                "Failed to list locks: orders::", () -> strategy.listLocks("orders::"),
                "Failed to delete expired locks: at most 7", () -> strategy.deleteExpired(7));

        attempts.forEach((message, attempt) -> assertThatExceptionOfType(LockingException.class)
                .isThrownBy(attempt::make)
                .withMessage(message)
                .havingCause()
                .withMessageContaining("java -jar reservation-lock.jar ddl oracle")
                .withCauseInstanceOf(SQLException.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x; DROP TABLE y", "a.b.c", "\"quoted\"", "1st"})
    void aTableNameIsAnIdentifier(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableBasedLockingStrategy(oracle.dataSource(), name))
                .withMessageContaining("tableName must");
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatNullPointerException()
                .isThrownBy(() -> new TableBasedLockingStrategy(null, "RESERVATION_LOCKS"))
                .withMessage("dataSource must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> strategy.tryAcquire(null, "one", LEASE))
                .withMessage("reservationKey must not be null");
        assertRefused(() -> strategy.tryAcquire("", "one", LEASE), "reservationKey must not be empty");
        assertRefused(() -> strategy.tryAcquire(KEY, "", LEASE), "holder must not be empty");
        assertRefused(() -> strategy.tryAcquire(KEY, "one", Duration.ZERO), "leaseTime must be positive, but is PT0S");
        assertRefused(() -> strategy.renew(KEY, "one", Duration.ofMillis(-1)), "leaseTime must be positive");
        assertRefused(
                () -> strategy.release("\u00e9".repeat(257), "one"),
                "reservationKey is too long: it has 514 bytes in UTF-8, at most 512 are allowed");
        assertRefused(() -> strategy.release(KEY, "h".repeat(257)),
                "holder is too long: it has 257 bytes in UTF-8, at most 256 are allowed");
        assertRefused(
                () -> strategy.tryAcquire("\ud83d", "one", LEASE),
                "reservationKey must not contain NUL or half of a surrogate pair");
        assertRefused(() -> strategy.release(KEY, "\ude00"), "holder must not contain NUL or half of a surrogate pair");
        assertRefused(() -> strategy.getLockInfo(""), "reservationKey must not be empty");
        assertRefused(() -> strategy.forceRelease(""), "reservationKey must not be empty");
        assertRefused(() -> strategy.deleteExpired(0), "limit must be at least 1, but is 0");
    }

    @Test
    void theLongestKeyAndHolderFit() throws LockingException {
        String key = "\ud83d\ude00".repeat(128);
        String holder = "\u00e9".repeat(128);

        assertThat(strategy.tryAcquire(key, holder, LEASE)).isTrue();

        assertThat(strategy.getLockInfo(key).orElseThrow().holder()).isEqualTo(holder);
        assertThat(strategy.release(key, holder)).isTrue();
    }

    private void assertRefused(Attempt attempt, String message) {
        assertThatThrownBy(attempt::make).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    private void end(String key) {
        oracle.execute("UPDATE RESERVATION_LOCKS SET expires_at = TIMESTAMP '2001-01-01 00:00:00'"
                + " WHERE reservation_key = '" + key + "'");
    }

    /** A call that may fail. */
    @FunctionalInterface
    private interface Attempt {
        void make() throws LockingException;
    }
}
