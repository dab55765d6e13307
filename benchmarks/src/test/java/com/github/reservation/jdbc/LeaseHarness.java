// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.harness.Comparison;
import com.github.reservation.harness.RowLock;
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
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Measures leases on PostgreSQL: one lease against two updates of one row, a batch of renewals against one statement written by
 * hand, ten thousand locks that are renewed automatically, and the local questions.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@leases}.
 */
public final class LeaseHarness {

    private static final int ROUNDS = 15;
    private static final int BATCH = 1_000;
    private static final int HOLDS = 10_000;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration MEASURED = Duration.ofMinutes(1);
    private static final int QUESTIONS = 20_000_000;

    private LeaseHarness() {}

    public static void main(String[] args) throws Exception {
        List<String> only = List.of(args);
        try (PostgresServer server = PostgresServer.start();
                JdbcBackend backend = new JdbcBackend(server.url(), server.user(), "", "postgresql")) {
            backend.pool().setMaximumPoolSize(16);
            try (ReservationManager manager = backend.manager("throughput", Duration.ofMinutes(10))) {
                if (only.isEmpty() || only.contains("one")) {
                    oneLease(backend.pool(), manager.lockProvider());
                }
                if (only.isEmpty() || only.contains("batch")) {
                    batch(backend.pool(), manager.lockProvider());
                }
                if (only.isEmpty() || only.contains("questions")) {
                    questions(manager);
                }
            }
            if (only.isEmpty() || only.contains("holds")) {
                holds(backend);
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

    private static void batch(DataSource pool, LockProvider provider) throws Exception {
        List<LockLease> leases = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            leases.add(Objects.requireNonNull(provider.acquireLock("batch-" + i, "run-" + i, Duration.ofHours(1))));
        }
        Comparison.Cycle limit = (thread, number) -> renewByHand(pool, leases);
        Comparison.Cycle ours = (thread, number) -> {
            if (provider.renew(leases, Duration.ofHours(1)).size() != BATCH) {
                throw new IllegalStateException("Not all leases were renewed");
            }
        };
        Comparison comparison = new Comparison(ROUNDS);
        comparison.run("renewing " + BATCH + " leases (warm-up)", 1, limit, ours);
        comparison.run("renewing " + BATCH + " leases in one call", 1, limit, ours);
        provider.release(leases);
    }

    private static void renewByHand(DataSource pool, List<LockLease> leases) throws SQLException {
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

    private static Array texts(Connection connection, Object[] texts) throws SQLException {
        return connection.createArrayOf("text", texts);
    }

    private static void questions(ReservationManager manager) throws Exception {
        Reservation reservation = manager.getReservation("reservation");
        reservation.lock();
        HeldLock lock = manager.lockManager().acquire("lock");
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

    /** Holds many locks for a while, and prints what that costs. */
    private static void holds(JdbcBackend backend) throws Exception {
        ScriptedStore counted = new ScriptedStore(backend.store());
        try (ReservationManager manager =
                backend.renewingNode("holds", LEASE, Duration.ofHours(1), counted)) {
            List<HeldLock> locks = acquire(manager);
            long heap = usedHeap();
            int before = counted.calls(Op.RENEW);
            Thread.sleep(MEASURED);
            int renewals = counted.calls(Op.RENEW) - before;
            long alive = locks.stream().filter(HeldLock::isHeld).count();
            long threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("reservation-renewal"))
                    .count();
            System.out.printf(
                    Locale.ROOT,
                    "%,d locks with leases of %s for %s: %,d alive, %.1f calls/s, %d thread(s), heap %+,d KB%n",
                    HOLDS, LEASE, MEASURED, alive, renewals / (double) MEASURED.toSeconds(), threads,
                    (usedHeap() - heap) / 1024);
            locks.forEach(HeldLock::close);
            System.out.println("left in the store after the releases: "
                    + manager.listReservations().size());
        }
    }

    private static List<HeldLock> acquire(ReservationManager manager) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(16)) {
            List<Future<HeldLock>> futures = new ArrayList<>();
            for (int i = 0; i < HOLDS; i++) {
                String name = "hold-" + i;
                futures.add(executor.submit(() -> manager.lockManager().acquire(name)));
            }
            List<HeldLock> locks = new ArrayList<>();
            for (Future<HeldLock> future : futures) {
                locks.add(future.get());
            }
            return locks;
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
