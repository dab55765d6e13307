// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.LossReason;
import com.github.reservation.LostReservation;
import com.github.reservation.ReservationException;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.Renewal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The row of one lease is locked by an open transaction. That may cost this lease, but no other one. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
@SideBySide
@Execution(ExecutionMode.CONCURRENT) // Else one database would wait for the leases of the other.
class LockedRowRenewalTest {

    private static final int LOCKS = 500;
    private static final String LOCKED = "lock-110";
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;
    private ReservationManager manager;
    private Connection stranger;

    @BeforeEach
    void open() throws SQLException {
        database = kind.open(directory);
        manager = database.manager(database.pool(4), LEASE);
        stranger = database.connect();
        stranger.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        stranger.close();
        database.close();
    }

    @Test
    void theOtherLocksAreRenewed() throws Exception {
        List<LostReservation> lost = new CopyOnWriteArrayList<>();
        manager.onLost(lost::add);
        List<HeldLock> locks = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            locks.add(manager.acquire("lock-" + i));
        }
        lockOneRow();
        List<HeldLock> others = locks.stream().filter(lock -> !lock.lease().name().equals(LOCKED)).toList();
        long afterFourLeases = System.currentTimeMillis() + LEASE.multipliedBy(4).toMillis();

        await("three leases pass, and all are renewed")
                .atMost(LEASE.multipliedBy(4))
                .until(() -> others.stream().anyMatch(lock -> !lock.isHeld())
                        || others.stream().allMatch(lock -> lock.lease().expiresAt() > afterFourLeases));

        assertThat(others).allMatch(HeldLock::isHeld);
        assertThat(lost).extracting(LostReservation::identifier).containsExactly(LOCKED);
        assertThat(lost).extracting(LostReservation::reason).containsExactly(LossReason.STORE_UNREACHABLE);
    }

    @Test
    void aCallThatRenewsManyReturnsTheLockedOneWithItsOldEnd() throws SQLException {
        LockProvider provider = manager.lockProvider();
        List<LockLease> leases = acquire(provider);
        lockOneRow();

        List<LockLease> renewed = provider.renew(leases, LONG_LEASE.multipliedBy(2));

        assertThat(renewed).extracting(LockLease::name).containsExactlyElementsOf(
                leases.stream().map(LockLease::name).toList());
        assertThat(renewed)
                .filteredOn(lease -> lease.expiry().isBefore(leases.getFirst().expiry().plus(LEASE)))
                .containsExactly(leases.get(110));
    }

    @Test
    void aLostOneIsLeftOutBesideALockedOne() throws SQLException {
        LockProvider provider = manager.lockProvider();
        List<LockLease> leases = acquire(provider);
        manager.getReservation("lock-17").forceUnlock();
        lockOneRow();

        List<LockLease> renewed = provider.renew(leases, LONG_LEASE.multipliedBy(2));

        assertThat(renewed).hasSize(leases.size() - 1).extracting(LockLease::name).doesNotContain("lock-17");
        assertThat(renewed).contains(leases.get(110));
    }

    @Test
    void aCallThatRenewsTheLockedOneAloneThrows_andSucceedsLater() throws SQLException {
        LockProvider provider = manager.lockProvider();
        LockLease lease = Objects.requireNonNull(provider.acquireLock(LOCKED, "run", LONG_LEASE));
        lockOneRow();

        assertThatThrownBy(() -> provider.renew(List.of(lease), LONG_LEASE))
                .isInstanceOf(ReservationException.class)
                .cause()
                .as("with the reason of the database")
                .hasCauseInstanceOf(SQLException.class);

        stranger.rollback();
        assertThat(provider.renew(List.of(lease), LONG_LEASE)).hasSize(1);
    }

    @Test
    void manyLockedRowsTakeNoLongerThanAFew() throws SQLException {
        assumeTrue(kind != Databases.ORACLE_MODE, "H2 goes on with a batch after a locked row; Oracle ends it there");
        LockProvider provider = manager.lockProvider();
        List<LockLease> leases = acquire(provider);
        lockRows("LIKE 'orders::lock-1_'");
        lockRows("LIKE 'orders::lock-3_'");
        long start = System.nanoTime();

        List<LockLease> renewed = provider.renew(leases, LEASE.multipliedBy(100));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        assertThat(renewed).hasSameSizeAs(leases);
    }

    /** A renewal that is late is sent again, while the first one still waits for the row. */
    @Test
    void twoCallsThatRenewTheSameLeasesDoNotDeadlock() throws Exception {
        LockProvider provider = manager.lockProvider();
        Set<LeaseId> leases = acquire(provider).stream()
                .map(lease -> new LeaseId("orders::" + lease.name(), lease.executionId()))
                .collect(Collectors.toSet());
        lockOneRow();
        JdbcLeaseStore store = TestDatabase.leases(database.pool(2), Optional.empty());

        try (Actor first = new Actor("first"); Actor second = new Actor("second")) {
            Future<Renewal> one = first.starts(() -> store.renew(leases, LONG_LEASE));
            Future<Renewal> other = second.starts(() -> store.renew(leases, LONG_LEASE));

            for (Renewal renewal : List.of(Actor.result(one), Actor.result(other))) {
                assertThat(Stream.of(renewal.renewed(), renewal.undecided()).flatMap(Set::stream))
                        .containsExactlyInAnyOrderElementsOf(leases);
            }
        }
    }

    private static List<LockLease> acquire(LockProvider provider) {
        return IntStream.range(0, 150)
                .mapToObj(i -> Objects.requireNonNull(provider.acquireLock("lock-" + i, "run-" + i, LONG_LEASE)))
                .toList();
    }

    private void lockOneRow() throws SQLException {
        lockRows("= 'orders::" + LOCKED + "'");
    }

    private void lockRows(String keys) throws SQLException {
        try (Statement statement = stranger.createStatement()) {
            statement.executeQuery("SELECT holder FROM RESERVATION_LOCKS WHERE reservation_key " + keys + " FOR UPDATE")
                    .close();
        }
    }
}
