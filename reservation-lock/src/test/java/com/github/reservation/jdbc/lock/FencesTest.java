// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fence of a key only grows, whatever happens between two grants. */
@SideBySide
class FencesTest {

    private static final String KEY = "orders::42";
    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Databases.class)
    void fencesGrowAcrossReleaseExpiryForceAndPurge(Databases kind) throws StoreException {
        try (TestDatabase database = kind.open(directory)) {
            JdbcLeaseStore leases = TestDatabase.leases(database.pool(2), Optional.of(Duration.ofHours(1)));
            LeaseId first = newLease();
            long fence = granted(leases, first, LEASE);

            leases.release(List.of(first));
            fence = grantedAbove(fence, leases, Duration.ofMillis(20));

            // That one expires.
            fence = grantedAbove(fence, leases, LEASE);

            assertThat(leases.forceRelease(KEY)).isPresent();
            fence = grantedAbove(fence, leases, LEASE);

            leases.forceRelease(KEY);
            database.execute("UPDATE RESERVATION_LOCKS SET acquired_at = TIMESTAMP '2001-01-01 00:00:00'");
            leases.purge();
            assertThat(database.query("SELECT COUNT(*) FROM RESERVATION_LOCKS")).as("purged").isEqualTo("0");
            grantedAbove(fence, leases, LEASE);
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    void aRefusalCostsNoFence(Databases kind) throws StoreException {
        try (TestDatabase database = kind.open(directory)) {
            JdbcLeaseStore leases = TestDatabase.leases(database.pool(2), Optional.empty());
            LeaseId first = newLease();
            long fence = granted(leases, first, LEASE);

            assertThat(acquire(leases, newLease(), LEASE)).isInstanceOf(Acquisition.Refused.class);
            leases.renew(List.of(first), LEASE);

            assertThat(leases.find(KEY).orElseThrow().fence()).hasValue(fence);
            leases.release(List.of(first));
            assertThat(granted(leases, newLease(), LEASE)).isGreaterThan(fence);
        }
    }

    /** As a standby does that takes over without the last commits, or a backup that is restored. */
    @ParameterizedTest
    @EnumSource(Databases.class)
    void noFenceIsIssuedTwice_ifTheDatabaseForgetsTheLastGrants(Databases kind) throws StoreException {
        try (TestDatabase database = kind.open(directory)) {
            JdbcLeaseStore leases = TestDatabase.leases(database.pool(2), Optional.empty());
            long remembered = grantedAbove(0, leases, Duration.ofMillis(20));
            long forgotten = grantedAbove(remembered, leases, Duration.ofMillis(20));
            forgotten = grantedAbove(forgotten, leases, LEASE);

            leases.forceRelease(KEY);
            database.execute("UPDATE RESERVATION_LOCKS SET fence = " + remembered);

            grantedAbove(forgotten, leases, LEASE);
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    void fencesGrow_ifTheClockOfTheDatabaseWasAheadBefore(Databases kind) throws StoreException {
        try (TestDatabase database = kind.open(directory)) {
            JdbcLeaseStore leases = TestDatabase.leases(database.pool(2), Optional.empty());
            LeaseId first = newLease();
            long fence = granted(leases, first, LEASE) + Duration.ofDays(1).toNanos() / 1_000;
            leases.release(List.of(first));

            database.execute("UPDATE RESERVATION_LOCKS SET fence = " + fence);

            assertThat(granted(leases, newLease(), LEASE)).isEqualTo(fence + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Databases.class, names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void fencesGrowAcrossTheDeathOfTheServer(Databases kind) {
        try (DatabaseServer server = kind.startServer();
                TestDatabase database = kind.on(server)) {
            database.install();
            HikariDataSource pool = database.pool(2);
            pool.setConnectionTimeout(1_000);
            JdbcLeaseStore leases = TestDatabase.leases(pool, Optional.empty());
            long fence = grantedAbove(0, leases, Duration.ofMillis(20));
            fence = grantedAbove(fence, leases, Duration.ofMillis(20));

            server.kill();
            server.restart();

            grantedAbove(fence, leases, LEASE);
        }
    }

    @ParameterizedTest
    @EnumSource(Databases.class)
    void fencesGrowAcrossTheEndOfAllConnections(Databases kind) throws StoreException {
        long fence;
        try (TestDatabase database = kind.open(directory)) {
            fence = grantedAbove(0, TestDatabase.leases(database.pool(1), Optional.empty()), Duration.ofMillis(20));
            database.close();

            // An H2 file is closed by now, and opened again.
            grantedAbove(fence, TestDatabase.leases(database.pool(1), Optional.empty()), LEASE);
        }
    }

    /** Acquires the key as soon as it is to be had. */
    private static long grantedAbove(long fence, JdbcLeaseStore leases, Duration leaseTime) {
        LeaseId lease = newLease();
        Granted granted = (Granted) await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(10))
                .ignoreExceptionsMatching(StoreException.class::isInstance)
                .until(() -> acquire(leases, lease, leaseTime), Granted.class::isInstance);
        assertThat(granted.fence().orElseThrow()).isGreaterThan(fence);
        return granted.fence().orElseThrow();
    }

    private static long granted(JdbcLeaseStore leases, LeaseId lease, Duration leaseTime) throws StoreException {
        return ((Granted) acquire(leases, lease, leaseTime)).fence().orElseThrow();
    }

    private static Acquisition acquire(JdbcLeaseStore leases, LeaseId lease, Duration leaseTime) throws StoreException {
        return leases.acquire(AcquireRequest.once(lease, leaseTime, "node"));
    }

    private static LeaseId newLease() {
        return new LeaseId(KEY, "holder-" + UUID.randomUUID());
    }
}
