// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.LeaseId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.h2.api.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Many leases in one call, of which a row or a reply fails. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // A test looks for a warning of its manager.
class BatchFaultsTest {

    private static final int LEASES = 120;
    private static final String BROKEN = "lease-110";
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration LONGER = Duration.ofMinutes(20);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private ScriptedDriver driver;
    private ReservationManager manager;
    private LockProvider provider;
    private List<LockLease> leases;

    @BeforeEach
    void acquire() {
        database = kind.open(directory);
        driver = new ScriptedDriver(database.pool(4));
        manager = database.manager(driver.dataSource(), LEASE);
        provider = manager.lockProvider();
        leases = IntStream.range(0, LEASES)
                .mapToObj(i -> provider.acquireLock("lease-%03d".formatted(i), "run-" + i, LEASE))
                .map(Objects::requireNonNull)
                .toList();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aLeaseWhoseRowCannotBeChangedKeepsItsEnd_andTheOthersAreRenewed() throws SQLException {
        breakOneRow();

        try (LoggedWarnings warnings = new LoggedWarnings()) {
            List<LockLease> renewed = provider.renew(leases, LONGER);
            assertThat(renewed).hasSize(LEASES).filteredOn(leases::contains).extracting(LockLease::name)
                    .containsExactly(
                            BROKEN);
            assertThat(warnings.texts()).contains("Could not renew 1 of 120 leases; their old ends still count");
        }

        assertThat(manager.listReservations())
                .filteredOn(BatchFaultsTest::isRenewed)
                .hasSize(LEASES - 1);
    }

    @Test
    void aRowThatCannotBeChangedIsReported_andTheOthersAreReleased() throws SQLException {
        breakOneRow();

        assertThatThrownBy(() -> provider.release(leases))
                .isInstanceOf(ReservationException.class)
                .hasMessageStartingWith("Could not release 1 of 120 leases");

        assertThat(manager.listReservations()).extracting(ReservationInfo::identifier).containsExactly(BROKEN);
        execute("DROP TRIGGER refusing" + (kind == Databases.POSTGRESQL ? " ON RESERVATION_LOCKS" : ""));
        await("the release in the background").until(() -> manager.listReservations().isEmpty());
    }

    @Test
    void aReplyThatIsLostIsNoLoss() {
        loseOneReply();
        assertThat(provider.renew(leases, LONGER)).hasSize(LEASES);

        loseOneReply();
        provider.release(leases);

        assertThat(driver.isPlayed()).isTrue();
        assertThat(manager.listReservations()).isEmpty();
    }

    /** Two leases whose holders are exchanged: each key and each holder exists, but no such lease. */
    @Test
    void aLeaseOfAnotherHolderIsLeftOut_andTheOthersAreRenewed() {
        LockLease first = leases.getFirst();
        LockLease second = leases.get(1);
        List<LockLease> asked = new ArrayList<>(leases);
        asked.set(0, new LockLease(first.name(), second.executionId(), first.expiresAt()));
        asked.set(1, new LockLease(second.name(), first.executionId(), second.expiresAt()));

        List<LockLease> renewed = provider.renew(asked, LONGER);

        List<String> others =
                leases.subList(2, LEASES).stream().map(LockLease::name).toList();
        assertThat(renewed).extracting(LockLease::name).containsExactlyInAnyOrderElementsOf(others);
        assertThat(manager.listReservations())
                .filteredOn(BatchFaultsTest::isRenewed)
                .extracting(ReservationInfo::identifier)
                .containsExactlyInAnyOrderElementsOf(others);
    }

    /** The database must find the rows by their keys: if it read them all, it would wait for each that is locked. */
    @Test
    void aRenewalDoesNotWaitForTheRowsOfOtherLeases() throws Exception {
        if (kind.isMySql()) {
            execute("ANALYZE TABLE RESERVATION_LOCKS"); // Now the optimizer knows how small the table is.
        }
        try (Connection stranger = database.connect(); Statement statement = stranger.createStatement()) {
            stranger.setAutoCommit(false);
            statement.execute("UPDATE RESERVATION_LOCKS SET fence = fence + 1 WHERE reservation_key = 'orders::"
                    + BROKEN + "'");
            List<LeaseId> others = leases.stream()
                    .filter(lease -> !lease.name().equals(BROKEN))
                    .map(lease -> new LeaseId("orders::" + lease.name(), lease.executionId()))
                    .toList();

            // Not by the provider: it would renew them one by one if the statement timed out.
            JdbcLeaseStore store = TestDatabase.leases(database.pool(1), Optional.empty());
            assertThat(store.renew(others, LONGER).renewed()).hasSize(LEASES - 1);

            stranger.rollback();
        }
    }

    private void loseOneReply() {
        driver.failNext(Step.REPLY, kind.connectionLost());
    }

    private static boolean isRenewed(ReservationInfo info) {
        return info.remaining().compareTo(LEASE) > 0;
    }

    /** Lets each update of one row fail, with an error that says nothing about the other rows. */
    private void breakOneRow() throws SQLException {
        String key = "'orders::" + BROKEN + "'";
        switch (kind) {
            case POSTGRESQL -> execute("""
                    CREATE OR REPLACE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql
                    AS 'BEGIN RAISE EXCEPTION ''a broken row''; END'
                    """, """
                    CREATE TRIGGER refusing BEFORE UPDATE ON RESERVATION_LOCKS
                    FOR EACH ROW WHEN (OLD.reservation_key = %s) EXECUTE FUNCTION refuse()
                    """.formatted(key));
            case MARIADB, MYSQL -> execute("""
                    CREATE TRIGGER refusing BEFORE UPDATE ON RESERVATION_LOCKS
                    FOR EACH ROW IF OLD.reservation_key = %s THEN SIGNAL SQLSTATE '45000'; END IF
                    """.formatted(key));
            case H2_IN_MEMORY, H2_FILE, ORACLE_MODE -> execute("""
                    CREATE TRIGGER refusing BEFORE UPDATE ON RESERVATION_LOCKS
                    FOR EACH ROW CALL '%s'
                    """.formatted(Refusing.class.getName()));
        }
    }

    /** Not as a script: it would be split at the semicolons. */
    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** A trigger of H2. */
    public static final class Refusing implements Trigger {

        @Override
        public void fire(Connection connection, Object[] oldRow, Object[] newRow) throws SQLException {
            if (("orders::" + BROKEN).equals(oldRow[0])) {
                throw new SQLException("A broken row");
            }
        }
    }
}
