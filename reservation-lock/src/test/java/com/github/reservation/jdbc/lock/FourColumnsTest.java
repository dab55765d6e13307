// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A table of the four columns that the original specification has; and one that gets the others while it is in use. */
@SideBySide
@ParameterizedClass
@EnumSource(Databases.class)
class FourColumnsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        for (String column : List.of("fence", "waiters", "reserved_until")) {
            database.execute("ALTER TABLE RESERVATION_LOCKS DROP COLUMN " + column);
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private ReservationManager manager() {
        return database.manager(database.pool(4), LEASE);
    }

    /** Returns a manager that has found out by now which columns the table has. */
    private ReservationManager managerInUse() {
        ReservationManager manager = manager();
        assertThat(manager.getReservation("other").isLocked()).isFalse();
        return manager;
    }

    private void migrate() {
        database.execute(Ddl.of(kind.ddl() + "-migration"));
    }

    @Test
    void locksWorkWithoutFencingTokens() {
        ReservationManager manager = manager();
        Reservation here = manager.getReservation("42");
        Reservation there = manager().getReservation("42");

        here.lock();
        assertThat(here.fencingToken()).isEmpty();
        assertThat(there.tryLock()).isFalse();
        assertThat(there.getRemainingLeaseTime()).isBetween(Duration.ofSeconds(30), LEASE);
        assertThat(here.renew(Duration.ofHours(1))).isTrue();
        assertThat(here.renew()).as("ends later already").isTrue();
        assertThat(there.getRemainingLeaseTime()).isGreaterThan(LEASE);
        assertThat(manager.listReservations()).hasSize(1);
        here.unlock();

        assertThat(there.tryLock()).isTrue();
        here.forceUnlock();
        assertThat(there.isLocked()).isFalse();
    }

    /** On MariaDB and MySQL the same words make a table that ignores case and has no fractions of a second. */
    @Test
    void theTableAsSpecifiedWorks_butOnMariaDbAndMySql() {
        database.execute("DROP TABLE RESERVATION_LOCKS");
        database.execute("""
                CREATE TABLE RESERVATION_LOCKS (
                    reservation_key  VARCHAR(512)  NOT NULL,
                    holder           VARCHAR(256)  NOT NULL,
                    acquired_at      TIMESTAMP     NOT NULL,
                    expires_at       TIMESTAMP     NOT NULL,
                    CONSTRAINT pk_reservation_locks PRIMARY KEY (reservation_key)
                )
                """);
        Reservation reservation = manager().getReservation("42");

        if (kind.isMySql()) {
            assertThatThrownBy(reservation::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("give reservation_key and holder the collation of the DDL");
        } else {
            assertThat(reservation.tryLock()).isTrue();
            assertThat(manager().getReservation("42").tryLock()).isFalse();
            reservation.unlock();
        }
    }

    @Test
    void aLockIsOneStatement_threeOfANewKey_twoIfItIsRefused() {
        RecordingDataSource recorded = new RecordingDataSource(database.pool(2));
        Reservation reservation = database.manager(recorded.dataSource(), LEASE).getReservation("42");
        assertThat(reservation.isLocked()).isFalse();

        recorded.clear();
        reservation.lock();
        assertThat(recorded.executions()).hasSize(3);
        reservation.unlock();

        recorded.clear();
        reservation.lock();
        assertThat(recorded.executions()).hasSize(1);
        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
        assertThat(recorded.executions()).hasSize(3);

        Reservation elsewhere = manager().getReservation("42");
        elsewhere.lock();
        recorded.clear();
        assertThat(reservation.tryLock()).isFalse();
        assertThat(recorded.executions()).hasSize(2);
    }

    @Test
    void aWaiterThatGivesUpTakesNoConnectionToLeaveAQueueThatDoesNotExist() throws Exception {
        RecordingDataSource recorded = new RecordingDataSource(database.pool(2));
        Reservation reservation = database.manager(recorded.dataSource(), LEASE).getReservation("42");
        Reservation elsewhere = managerInUse().getReservation("42");
        reservation.lock();

        try (Actor waiter = new Actor("waiter")) {
            Future<Boolean> granted = waiter.startsAndWaits(() -> reservation.tryLock(500, TimeUnit.MILLISECONDS));
            recorded.clear();
            recorded.beforeNext("acquired_at =", elsewhere::tryLock); // Before the waiter asks for the key that was released.
            reservation.unlock();

            assertThat(Actor.result(granted)).isFalse();
        }
        assertThat(recorded.executionsPerConnection().getLast()).as("statements on the last connection").isPositive();
    }

    @Test
    void theFirstUseWarnsOnceOfWhatIsMissing() {
        String table = "WARNED_LOCKS_" + kind; // Others warn at the same time.
        database.execute("ALTER TABLE RESERVATION_LOCKS RENAME TO " + table);
        try (LoggedWarnings warnings = new LoggedWarnings();
                ReservationManager manager = ReservationManager.jdbc(database.pool(2))
                        .domain("orders")
                        .tableName(table)
                        .build()) {
            for (int i = 0; i < 3; i++) {
                manager.getReservation("42").lock();
            }

            assertThat(warnings.texts().stream().filter(text -> text.contains("Table " + table + " ")))
                    .containsExactly(
                            "Table " + table + " has no columns fence, waiters and reserved_until: its locks have no"
                                    + " fencing tokens, and nodes take no turns. The command java -jar reservation-lock.jar ddl "
                                    + kind.ddl()
                                    + "-migration prints the ALTER TABLE that adds them; an application uses them after"
                                    + " its next start");
        } finally {
            database.execute("DROP TABLE " + table);
        }
    }

    @Test
    void managersFromBeforeAndAfterTheMigrationExcludeEachOther() {
        Reservation before = managerInUse().getReservation("42");
        migrate();
        Reservation after = manager().getReservation("42");

        before.lock();
        assertThat(after.tryLock()).isFalse();
        before.unlock();
        after.lock();
        long first = after.fencingToken().orElseThrow();
        assertThat(before.tryLock()).isFalse();
        after.unlock();
        before.lock();
        assertThat(before.fencingToken()).isEmpty();
        assertThat(after.tryLock()).isFalse();
        before.unlock();
        after.lock();

        assertThat(after.fencingToken().orElseThrow()).isGreaterThan(first);
    }

    @Test
    void aNodeInTheQueueGetsTheKeyOfAManagerThatKnowsNoQueue() throws Exception {
        Reservation before = managerInUse().getReservation("42");
        migrate();
        Reservation after = manager().getReservation("42");
        try (Actor actor = new Actor("after")) {
            before.lock();
            Future<Boolean> granted = actor.startsAndWaits(() -> after.tryLock(30, TimeUnit.SECONDS));

            before.unlock();

            assertThat(Actor.result(granted)).isTrue();
            assertThat(before.tryLock()).isFalse();
        }
    }

    @Test
    void neverTwoHoldersAmongManagersFromBeforeAndAfterTheMigration() throws Exception {
        int rounds = 25;
        int[] unguarded = new int[1];
        List<ReservationManager> managers = new ArrayList<>(List.of(managerInUse(), managerInUse()));
        migrate();
        managers.add(manager());
        managers.add(manager());

        List<Thread> threads = managers.stream()
                .map(manager -> counting(manager.getReservation("42"), rounds, unguarded))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(unguarded[0]).isEqualTo(4 * rounds);
    }

    /** Adds to a number that nothing guards but the lock. */
    private static Thread counting(Reservation reservation, int rounds, int[] unguarded) {
        return Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < rounds; i++) {
                reservation.lock();
                int seen = unguarded[0];
                Thread.yield();
                unguarded[0] = seen + 1;
                reservation.unlock();
            }
        });
    }

    @Test
    void anUnlockWakesAThreadOfTheSameManagerAtOnce() throws Exception {
        Duration tenMinutes = Duration.ofMinutes(10);
        try (ReservationManager manager = ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .leaseTime(tenMinutes)
                .pollInterval(tenMinutes)
                .maxPollInterval(tenMinutes)
                .build();
                Actor actor = new Actor("waiter")) {
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            Future<Boolean> granted = actor.startsAndWaits(() -> reservation.tryLock(1, TimeUnit.HOURS));

            reservation.unlock();

            assertThat(Actor.result(granted)).isTrue();
        }
    }

    @Test
    void notificationsNeedTheQueue() {
        assumeThat(kind).isEqualTo(Databases.POSTGRESQL);
        try (ReservationManager manager = ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .notifications(database.pool(1))
                .build()) {
            assertThatThrownBy(manager.getReservation("42")::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContaining("lacks fence, waiters, reserved_until. ");
        }
    }
}
