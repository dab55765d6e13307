// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.oracle.OracleErrors;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A driver that fails at each step, with the codes of each database: what the caller gets to see of it. */
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // Its tests share a pool for each database.
class ScriptedDriverTest {

    private static final Duration LEASE = Duration.ofHours(1);
    private static final Map<Database, HikariDataSource> POOLS = new EnumMap<>(Database.class);

    private ScriptedDriver driver;
    private ReservationManager manager;
    private ReservationManager otherNode;
    private Reservation ours;
    private Reservation theirs;

    /** An error as a driver reports it. */
    record Code(Database database, String state, int vendorCode) {

        SQLException exception() {
            return database == Database.ORACLE
                    ? OracleErrors.ora(vendorCode)
                    : new SQLException("Scripted " + this, state, vendorCode);
        }
    }

    private static Stream<Code> codes(Map<Database, List<Object>> byDatabase) {
        return byDatabase.entrySet().stream().flatMap(entry -> entry.getValue().stream()
                .map(code -> code instanceof String state
                        ? new Code(entry.getKey(), state, 0)
                        : new Code(entry.getKey(), "HY000", (Integer) code)));
    }

    static Stream<Code> contention() {
        return codes(Map.of(
                Database.POSTGRESQL, List.of("40001", "40P01", "55P03"),
                Database.MARIADB, List.of(1213, 1205, 1020),
                Database.H2, List.of(40001, 50200, 90131),
                Database.ORACLE, List.of(60, 8177, 54, 1555, 2049, 30006)));
    }

    static Stream<Code> unavailable() {
        return codes(Map.of(
                Database.POSTGRESQL, List.of("53300", "57P03", "25006"),
                Database.MARIADB, List.of(1040, 1290, 1836, 1226),
                Database.H2, List.of(90020, 90097),
                Database.ORACLE, List.of(16000, 1456, 1653, 30036)));
    }

    static Stream<Code> misconfigured() {
        return codes(Map.of(
                Database.POSTGRESQL, List.of("42P01", "42501", "3F000", "22001"),
                Database.MARIADB, List.of(1146, 1142, 1366),
                Database.H2, List.of(42102, 90096, 90079),
                Database.ORACLE, List.of(942, 904, 1031, 1400, 2014, 4043, 12899, 41900)));
    }

    static Stream<Code> unknown() {
        return codes(Map.of(
                Database.POSTGRESQL, List.of("08006", "57014", "57P01", "57P02", "40003"),
                Database.MARIADB, List.of("08S01", 1317, 1969, 1053),
                Database.H2, List.of(90067, 57014, 90028, 90098),
                Database.ORACLE, List.of(17002, 17410, 3113, 1013, 28, 1089, 12170)));
    }

    private void open(Database database) {
        HikariDataSource pool = POOLS.computeIfAbsent(database, ScriptedDriverTest::install);
        driver = new ScriptedDriver(pool);
        manager = ReservationManager.jdbc(driver.dataSource()).domain("orders").leaseTime(LEASE).build();
        otherNode = ReservationManager.jdbc(pool).domain("orders").leaseTime(LEASE).build();
        String identifier = UUID.randomUUID().toString();
        ours = manager.getReservation(identifier);
        theirs = otherNode.getReservation(identifier);
        manager.listReservations(); // The first use is over.
    }

    private static HikariDataSource install(Database database) {
        String ddl = database.name().toLowerCase();
        HikariDataSource pool = switch (database) {
            case POSTGRESQL -> pool(PostgresServer.shared());
            case MARIADB, MYSQL -> pool(MariaDbServer.shared());
            case H2 -> JdbcBackend.pool("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
            case ORACLE ->
                JdbcBackend.pool("jdbc:oracle-mode:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        };
        JdbcBackend.install(pool, ddl);
        return pool;
    }

    private static HikariDataSource pool(DatabaseServer server) {
        var database = server.newDatabase();
        return JdbcBackend.pool(database.url(), database.user(), database.password());
    }

    @AfterEach
    void close() {
        if (driver == null) {
            return; // The database is not among those that tests run on.
        }
        await("all connections are given back").until(() -> driver.open() == 0);
        manager.close();
        otherNode.close();
    }

    @AfterAll
    static void closePools() {
        POOLS.values().forEach(HikariDataSource::close);
        POOLS.clear();
    }

    @ParameterizedTest
    @MethodSource("contention")
    void contentionIsTriedAgainAndNotSeen(Code code) {
        open(code.database);

        failTwice(code);
        ours.lock();
        failTwice(code);
        assertThat(ours.renew()).isTrue();
        failTwice(code);
        ours.unlock();
        failTwice(code);
        assertThat(ours.tryLock()).isTrue();
        ours.unlock();

        assertThat(driver.isPlayed()).isTrue();
    }

    private void failTwice(Code code) {
        driver.failNext(Step.SEND, code.exception());
        driver.failNext(Step.SEND, code.exception());
    }

    @ParameterizedTest
    @MethodSource("unavailable")
    void anOutageIsThrownByLockAndIsFalseForTryLock(Code code) throws InterruptedException {
        open(code.database);
        driver.fail(Step.SEND, code::exception);

        assertFails(Kind.UNAVAILABLE);
        assertThat(ours.tryLock()).isFalse();
        assertThat(ours.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(ours::isLocked).isInstanceOf(ReservationException.class);

        driver.heal();
        assertThat(ours.tryLock()).isTrue();
        ours.unlock();
    }

    private void assertFails(Kind kind) {
        assertThatThrownBy(ours::lock)
                .isInstanceOf(ReservationAcquisitionException.class)
                .cause()
                .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @ParameterizedTest
    @MethodSource("misconfigured")
    void aWrongSetUpIsThrownByTryLockToo(Code code) {
        open(code.database);
        driver.fail(Step.SEND, code::exception);

        assertFails(Kind.MISCONFIGURED);
        assertThatThrownBy(ours::tryLock).isInstanceOf(ReservationAcquisitionException.class);
        assertThatThrownBy(() -> ours.tryLock(1, TimeUnit.MINUTES))
                .isInstanceOf(ReservationAcquisitionException.class)
                .hasMessageContaining("java -jar reservation-lock.jar ddl " + code.database.name().toLowerCase());
        driver.heal();
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void aLostReplyIsResolvedByLooking(Code code) {
        open(code.database);

        driver.failNext(Step.REPLY, code.exception());
        ours.lock();
        assertThat(theirs.tryLock()).as("a double").isFalse();
        assertThat(ours.fencingToken()).isPresent();
        driver.failNext(Step.REPLY, code.exception());
        assertThat(ours.renew()).isTrue();
        driver.failNext(Step.REPLY, code.exception());
        ours.unlock();
        assertThat(theirs.tryLock()).as("no ghost").isTrue();
        driver.failNext(Step.REPLY, code.exception());
        assertThat(ours.tryLock()).as("refused, and the reply lost").isFalse();
        theirs.unlock();
        driver.failNext(Step.SEND, code.exception());
        assertThat(ours.tryLock()).as("never sent").isTrue();
        ours.unlock();

        assertThat(driver.isPlayed()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void whenAllRepliesGetLostNothingIsLeftBehind(Code code) {
        open(code.database);
        driver.fail(Step.REPLY, code::exception);

        assertFails(Kind.OUTCOME_UNKNOWN);
        assertThat(ours.tryLock()).isFalse();
        driver.heal();

        await().pollInSameThread().atMost(Duration.ofSeconds(10)).until(theirs::tryLock);
        theirs.unlock();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void noConnectionIsAnOutage(Database database) throws InterruptedException {
        open(database);
        driver.fail(Step.CONNECT, () -> new SQLException("Scripted", "08001"));

        assertFails(Kind.UNAVAILABLE);
        assertThat(ours.tryLock()).isFalse();
        assertThat(ours.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();

        driver.fail(Step.CONNECT, () -> new IllegalStateException("As HikariCP does", new SQLException("", "08001")));
        assertFails(Kind.UNAVAILABLE);
        driver.heal();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void aWrongPasswordIsAWrongSetUp(Database database) {
        open(database);
        driver.fail(Step.CONNECT, () -> new SQLException("Scripted", "28000"));
        assertThatThrownBy(ours::tryLock).isInstanceOf(ReservationAcquisitionException.class);

        driver.fail(Step.CONNECT, () -> new IllegalStateException("As HikariCP does", new SQLException("", "28000")));
        assertThatThrownBy(ours::tryLock).isInstanceOf(ReservationAcquisitionException.class);
        driver.heal();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void aConnectionThatBreaksOnTheWayIsReplaced(Database database) {
        open(database);

        for (Step step : List.of(Step.LOOK_AT_AUTO_COMMIT, Step.PREPARE)) {
            driver.failNext(step, new SQLException("Scripted", "08003"));
            ours.lock();
            driver.failNext(step, new SQLException("Scripted", "08003"));
            assertThat(ours.renew()).isTrue();
            driver.failNext(step, new SQLException("Scripted", "08003"));
            ours.unlock();
        }

        assertThat(driver.isPlayed()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void whatFailsBeforeTheFirstStatementIsNotInDoubt(Code code) {
        open(code.database);
        driver.fail(Step.LOOK_AT_AUTO_COMMIT, code::exception);
        assertFails(Kind.CONTENTION);
        driver.heal();

        driver.fail(Step.SEND, code::exception);
        try (ReservationManager fresh =
                ReservationManager.jdbc(driver.dataSource()).domain("orders").leaseTime(LEASE).build()) {
            ours = fresh.getReservation(ours.getIdentifier());
            assertFails(Kind.CONTENTION);
        }
        driver.heal();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void aConnectionThatCannotBeClosedDoesNotSpoilTheAnswer(Database database) {
        open(database);
        driver.fail(Step.CLOSE, () -> new SQLException("Scripted", "08003"));

        ours.lock();
        assertThat(ours.renew()).isTrue();
        assertThat(theirs.tryLock()).isFalse();
        ours.unlock();
        assertThat(theirs.tryLock()).isTrue();
        assertThat(ours.tryLock()).isFalse();
        theirs.unlock();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL", mode = EnumSource.Mode.EXCLUDE)
    void aDriverThatThrowsSomethingElseLeavesNoGhost(Database database) {
        open(database);

        driver.failNext(Step.REPLY, new IllegalStateException("Scripted"));
        ours.lock();
        driver.failNext(Step.CLOSE, new IllegalStateException("Scripted"));
        ours.unlock();

        assertThat(theirs.tryLock()).isTrue();
        theirs.unlock();
    }
}
