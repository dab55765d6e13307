// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.contract.ForwardingStore;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.jdbc.server.Database;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sixteen threads on fresh keys while dead rows are purged all the time, at the database's default isolation. */
@SideBySide
class DeadlockTest {

    private static final int THREADS = 16;
    private static final int KEYS = 200;

    @ParameterizedTest
    @CsvSource({"MARIADB, jdbc:mariadb:", "MARIADB, jdbc:mysql:", "MYSQL, jdbc:mysql:", "POSTGRESQL, jdbc:postgresql:"})
    void noDeadlockSurfacesOnFreshKeysWhilePurgeRuns(Databases kind, String protocol) throws Exception {
        Database database = kind.server().newDatabase();
        String url = database.url().replaceFirst("jdbc:\\w+:", protocol);
        try (TestDatabase opened = new TestDatabase(kind, url, database.user(), database.password())) {
            opened.install();
            HikariDataSource pool = opened.pool(THREADS + 4);
            CountingStore store = new CountingStore(leases(pool));

            List<Throwable> failures = storm(store, leases(pool));

            assertThat(failures).as(store.toString()).isEmpty();
            assertThat(store.purges).hasPositiveValue();
        }
    }

    private static JdbcLeaseStore leases(HikariDataSource pool) {
        return new JdbcLeaseStore(new JdbcSettings(
                new SqlTable(pool, Optional.empty(), new TableName("RESERVATION_LOCKS"), Duration.ofSeconds(5), ""),
                false,
                Duration.ofMillis(150),
                Optional.of(Duration.ofMillis(1))));
    }

    /** Each thread takes 200 keys that nobody else wants, then all of them the same 200, each in an order of its own. */
    private static List<Throwable> storm(CountingStore store, JdbcLeaseStore purged) throws InterruptedException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Map<String, Long> fences = new ConcurrentHashMap<>();
        AtomicBoolean over = new AtomicBoolean();
        CyclicBarrier together = new CyclicBarrier(THREADS);
        List<Thread> workers = new ArrayList<>();
        try (ReservationManager one = manager(store); ReservationManager other = manager(store)) {
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                ReservationManager node = i % 2 == 0 ? one : other;
                workers.add(started(failures, () -> {
                    together.await();
                    for (int key = 0; key < KEYS; key++) {
                        use(node.getReservation("own-" + number + "-" + key), fences);
                    }
                    together.await();
                    List<Integer> order = new ArrayList<>(IntStream.range(0, KEYS).boxed().toList());
                    Collections.shuffle(order);
                    for (int key : order) {
                        use(node.getReservation("shared-" + key), fences);
                    }
                }));
            }
            List<Thread> purgers = List.of(
                    started(failures, () -> store.purge(purged, over)),
                    started(failures, () -> store.purge(purged, over)));
            for (Thread worker : workers) {
                worker.join();
            }
            over.set(true);
            for (Thread purger : purgers) {
                purger.join();
            }
        }
        return List.copyOf(failures);
    }

    private static void use(Reservation reservation, Map<String, Long> fences) {
        reservation.lock();
        try {
            long fence = reservation.fencingToken().orElseThrow();
            Long before = fences.put(reservation.getIdentifier(), fence);
            assertThat(fence).as("fence of " + reservation).isGreaterThan(before == null ? 0 : before);
        } finally {
            reservation.unlock();
        }
    }

    private static ReservationManager manager(LeaseStore store) {
        return new StoreReservationManager(
                store,
                new ManagerSettings(
                        "test-domain",
                        Duration.ofMinutes(1),
                        true,
                        Duration.ofMillis(10),
                        Duration.ofMillis(100),
                        Ticker.system(),
                        Meters.NONE));
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private static Thread started(Queue<Throwable> failures, Work work) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        });
    }

    /** Counts the calls, and those that the database undid because of a race. */
    private static final class CountingStore extends ForwardingStore {

        final AtomicInteger purges = new AtomicInteger();

        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger purgesUndone = new AtomicInteger();
        private final Map<String, Integer> undone = new ConcurrentHashMap<>();

        CountingStore(LeaseStore store) {
            super(store);
        }

        /** Purges until it is over, as the core would: a race is no failure. */
        void purge(JdbcLeaseStore purged, AtomicBoolean over) throws StoreException {
            while (!over.get()) {
                purges.incrementAndGet();
                try {
                    purged.purge();
                } catch (StoreException e) {
                    if (e.kind() != Kind.CONTENTION) {
                        throw e;
                    }
                    purgesUndone.incrementAndGet();
                }
            }
        }

        @Override
        protected <T> T call(String name, Call<T> call) throws StoreException {
            calls.incrementAndGet();
            try {
                return call.run();
            } catch (StoreException e) {
                undone.merge(name + " " + e.kind(), 1, Integer::sum);
                throw e;
            }
        }

        @Override
        public String toString() {
            return calls + " calls, failed " + undone + "; " + purges + " purges, undone " + purgesUndone;
        }
    }
}
