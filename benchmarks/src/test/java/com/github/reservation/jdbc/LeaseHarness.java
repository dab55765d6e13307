// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.harness.Comparison;
import com.github.reservation.harness.RowLock;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Measures leases on PostgreSQL: one lease against two updates of one row, a batch of renewals against one statement written by
 * hand, the local questions, and {@link KeptLocks}. On MariaDB a batch of renewals against one transaction written by hand.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@leases}. {@code -Dleases=one,batch} names what to measure, and
 * {@code -Dseconds=20} says for how long locks are held.
 */
public final class LeaseHarness {

    private static final String[] ALL = {"one", "batch", "questions", "holds", "outage", "mariadb"};
    private static final int ROUNDS = 15;
    private static final int BATCH = 1_000;
    private static final int QUESTIONS = 20_000_000;

    private LeaseHarness() {}

    public static void main(String[] args) throws Exception {
        List<String> measured = List.of(args.length == 0 ? ALL : args[0].split(","));
        try (PostgresServer server = PostgresServer.start();
                JdbcBackend backend = new JdbcBackend(server.url(), server.user(), "", "postgresql")) {
            backend.pool().setMaximumPoolSize(16);
            try (ReservationManager manager = backend.manager("throughput", Duration.ofMinutes(10))) {
                if (measured.contains("one")) {
                    oneLease(backend.pool(), manager.lockProvider());
                }
                if (measured.contains("batch")) {
                    batch("PostgreSQL", manager.lockProvider(), leases -> inOneStatement(backend.pool(), leases));
                }
                if (measured.contains("questions")) {
                    questions(manager);
                }
            }
            if (measured.contains("holds")) {
                KeptLocks.hold(backend, Duration.ofSeconds(Integer.getInteger("seconds", 60)));
            }
            if (measured.contains("outage")) {
                KeptLocks.outage(server);
            }
        }
        if (measured.contains("mariadb")) {
            batchOnMariaDb();
        }
    }

    private static void batchOnMariaDb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            Database database = server.newDatabase();
            try (JdbcBackend backend =
                    new JdbcBackend(database.url(), database.user(), database.password(), "mariadb");
                    ReservationManager manager = backend.manager("throughput", Duration.ofMinutes(10))) {
                batch("MariaDB", manager.lockProvider(), leases -> inOneTransaction(backend.pool(), leases));
            }
        }
    }

    private static void oneLease(DataSource pool, LockProvider provider) throws Exception {
        for (int i = 0; i < 16; i++) {
            acquireAndRelease(provider, i, i);
        }
        Comparison comparison = new Comparison(ROUNDS);
        Comparison.Cycle limit = (thread, number) -> {
            RowLock row = RowLock.onRow(pool, "RESERVATION_LOCKS", "throughput::thread-" + thread);
            row.lock();
            row.unlock();
        };
        Comparison.Cycle ours = (thread, number) -> acquireAndRelease(provider, thread, number);
        Comparison.warmUp(3, limit, ours);
        comparison.run("acquireLock and release, 1 thread", 1, limit, ours);
        comparison.run("acquireLock and release, 16 threads", 16, limit, ours);
    }

    private static void acquireAndRelease(LockProvider provider, int thread, long number) {
        LockLease lease = provider.acquireLock("thread-" + thread, "run-" + number, Duration.ofMinutes(1));
        provider.release(List.of(Objects.requireNonNull(lease)));
    }

    private static void batch(String database, LockProvider provider, ByHand byHand) throws Exception {
        List<LockLease> leases = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            leases.add(Objects.requireNonNull(provider.acquireLock("batch-" + i, "run-" + i, Duration.ofHours(1))));
        }
        Comparison.Cycle limit = (thread, number) -> byHand.renew(leases);
        Comparison.Cycle ours = (thread, number) -> {
            if (provider.renew(leases, Duration.ofHours(1)).size() != BATCH) {
                throw new IllegalStateException("Not all leases were renewed");
            }
        };
        Comparison comparison = new Comparison(ROUNDS);
        comparison.run("renewing " + BATCH + " leases (warm-up), " + database, 1, limit, ours);
        comparison.run("renewing " + BATCH + " leases in one call, " + database, 1, limit, ours);
        provider.release(leases);
    }

    /** What a user would write to renew leases. */
    @FunctionalInterface
    private interface ByHand {
        void renew(List<LockLease> leases) throws SQLException;
    }

    private static void inOneStatement(DataSource pool, List<LockLease> leases) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("""
                        UPDATE RESERVATION_LOCKS l
                        SET expires_at = clock_timestamp() AT TIME ZONE 'UTC' + INTERVAL '1 hour'
                        FROM UNNEST(?, ?) AS w (k, h)
                        WHERE l.reservation_key = w.k AND l.holder = w.h
                        """)) {
            statement.setArray(1,
                    texts(connection, leases.stream().map(lease -> "throughput::" + lease.name()).toArray()));
            statement.setArray(2, texts(connection, leases.stream().map(LockLease::executionId).toArray()));
            if (statement.executeUpdate() != BATCH) {
                throw new IllegalStateException("Not all rows were updated");
            }
        }
    }

    private static void inOneTransaction(DataSource pool, List<LockLease> leases) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("""
                        UPDATE RESERVATION_LOCKS
                        SET expires_at = UTC_TIMESTAMP(6) + INTERVAL 1 HOUR
                        WHERE reservation_key = ? AND holder = ?
                        """)) {
            connection.setAutoCommit(false);
            for (LockLease lease : leases) {
                statement.setString(1, "throughput::" + lease.name());
                statement.setString(2, lease.executionId());
                statement.addBatch();
            }
            if (Arrays.stream(statement.executeBatch()).sum() != BATCH) {
                throw new IllegalStateException("Not all rows were updated");
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static Array texts(Connection connection, Object[] texts) throws SQLException {
        return connection.createArrayOf("text", texts);
    }

    private static void questions(ReservationManager manager) throws Exception {
        Reservation reservation = manager.getReservation("reservation");
        reservation.lock();
        HeldLock lock = manager.acquire("lock");
        for (int i = 0; i < 5; i++) {
            nanos("isHeld()", lock::isHeld);
            nanos("isHeldByCurrentThread()", reservation::isHeldByCurrentThread);
        }
        lock.close();
        reservation.unlock();
    }

    private static void nanos(String name, BooleanSupplier question) {
        long start = System.nanoTime();
        int yes = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            yes += question.getAsBoolean() ? 1 : 0;
        }
        double nanos = (double) (System.nanoTime() - start) / QUESTIONS;
        System.out.printf(Locale.ROOT, "%-48s %.0f ns (%d times yes)%n", name, nanos, yes);
    }
}
