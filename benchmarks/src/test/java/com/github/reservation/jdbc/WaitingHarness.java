// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.jdbc.server.MariaDbServer;
import com.github.reservation.jdbc.server.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;

/**
 * Measures how long a key takes from one node to another: after an unlock, and after a lease that nobody gave back. The
 * nodes are two managers that poll with the default pauses.
 *
 * <p>Run it with {@code mvn -q test-compile exec:exec@waiting}.
 */
public final class WaitingHarness {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private final ReservationManager here;
    private final ReservationManager there;
    private int number;

    private WaitingHarness(ReservationManager here, ReservationManager there) {
        this.here = here;
        this.there = there;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("Milliseconds until the other node has the key: median [least..greatest]");
        try (PostgresServer server = PostgresServer.start()) {
            measure("PostgreSQL", server.url(), server.user(), "postgresql");
        }
        try (MariaDbServer server = MariaDbServer.start()) {
            measure("MariaDB", server.newDatabase().url(), server.user(), "mariadb");
        }
        measure("H2 in memory", "jdbc:h2:mem:waiting;DB_CLOSE_DELAY=-1", "sa", "h2");
    }

    private static void measure(String name, String url, String user, String ddl) {
        try (HikariDataSource pool = JdbcBackend.pool(url, user, "")) {
            JdbcBackend.install(pool, ddl);
            try (ReservationManager here = manager(pool);
                    ReservationManager there = manager(pool)) {
                WaitingHarness harness = new WaitingHarness(here, there);
                harness.handOver(Duration.ofMillis(10));
                print(name + ", held for 10 ms, then unlocked", 15, () -> harness.handOver(Duration.ofMillis(10)));
                print(name + ", held for 2 s, then unlocked", 5, () -> harness.handOver(Duration.ofSeconds(2)));
                print(name + ", a lease of 2 s that nobody gives back", 5, harness::takeOver);
            }
        }
    }

    private static ReservationManager manager(HikariDataSource pool) {
        return ReservationManager.jdbc(pool).domain("waiting").leaseTime(Duration.ofMinutes(1)).build();
    }

    /** Returns the time from the start of the unlock until the waiter's lock returned. */
    private double handOver(Duration held) {
        String id = "hand-over-" + number++;
        try (Actor holder = new Actor("holder");
                Actor waiter = new Actor("waiter")) {
            Reservation mine = here.getReservation(id);
            holder.does(mine::lock);
            Future<Long> waiting = waiter.startsAndWaits(() -> lockAndTellWhen(there.getReservation(id)));
            Thread.sleep(held);
            long start = System.nanoTime();
            holder.does(mine::unlock);
            return millis(Actor.result(waiting) - start);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns by how much the waiter was later than the earliest end of the lease, counted from before it was asked for. */
    private double takeOver() {
        String id = "take-over-" + number++;
        try (Actor holder = new Actor("holder");
                Actor waiter = new Actor("waiter")) {
            long start = System.nanoTime();
            holder.does(() -> here.getReservation(id).tryLock(Duration.ZERO, LEASE));
            Future<Long> waiting = waiter.startsAndWaits(() -> lockAndTellWhen(there.getReservation(id)));
            return millis(Actor.result(waiting) - start - LEASE.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long lockAndTellWhen(Reservation reservation) {
        reservation.lock();
        long now = System.nanoTime();
        reservation.unlock();
        return now;
    }

    private static void print(String name, int times, DoubleSupplier measurement) {
        double[] millis = new double[times];
        Arrays.setAll(millis, i -> measurement.getAsDouble());
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT, "%-60s %6.1f [%.1f..%.1f]%n", name, millis[times / 2], millis[0], millis[times - 1]);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
