// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.awaitility.Awaitility.await;

import com.github.reservation.LostReservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.internal.lock.ManagerProbe;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.lease.HeldLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Locks that a manager keeps alive: many of them for a while, and some while the server is killed. */
final class KeptLocks {

    private static final int SAMPLES = 6;

    private KeptLocks() {}

    /** Holds 10,000 locks with leases of ten seconds, and prints what that costs and what is left afterwards. */
    static void hold(JdbcBackend backend, Duration time) throws Exception {
        int count = 10_000;
        Duration lease = Duration.ofSeconds(10);
        ScriptedStore store = new ScriptedStore(backend.store());
        try (ReservationManager manager = backend.renewingNode("holds", lease, Duration.ofHours(1), store)) {
            List<HeldLock> locks = acquire(manager, count);
            int before = calls(store);
            long[] heap = new long[SAMPLES];
            for (int i = 0; i < SAMPLES; i++) {
                Thread.sleep(time.dividedBy(SAMPLES));
                heap[i] = usedHeap();
            }
            double rate = (calls(store) - before) / (double) time.toSeconds();
            long threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("reservation-renewal"))
                    .count();
            print("%,d locks with leases of %s for %s: %,d alive, %.1f statements/s, %d renewing thread(s)",
                    count, lease, time, alive(locks), rate, threads);
            print("heap after each sixth of the time: %s KB",
                    Arrays.toString(LongStream.of(heap).map(bytes -> bytes / 1024).toArray()));
            locks.forEach(HeldLock::close);
            ManagerProbe probe = new ManagerProbe(manager);
            await("the renewing thread ends").atMost(Duration.ofMinutes(1)).until(() -> probe.renewalThread() == null);
            print("left after the releases: %d locks in the store; %s; no renewing thread",
                    manager.listReservations().size(), probe);
        }
    }

    private static int calls(ScriptedStore store) {
        return Arrays.stream(Op.values()).mapToInt(store::calls).sum();
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Kills the server for five seconds, and then for longer than the leases of 30 seconds. */
    static void outage(PostgresServer server) throws Exception {
        Duration lease = Duration.ofSeconds(30);
        String url = server.url() + "?connectTimeout=1&socketTimeout=2";
        try (JdbcBackend backend = new JdbcBackend(url, server.user(), "", "postgresql")) {
            backend.pool().setConnectionTimeout(1_000);
            try (ReservationManager manager =
                    backend.renewingNode("outage", lease, Duration.ofHours(1), backend.store())) {
                Queue<LostReservation> told = new ConcurrentLinkedQueue<>();
                manager.onLost(told::add);
                List<HeldLock> locks = acquire(manager, 100);

                kill(server, Duration.ofSeconds(5));
                Thread.sleep(lease);
                print("server killed for 5 s, leases of %s: %d of %d alive a lease later, %d losses told",
                        lease, alive(locks), locks.size(), told.size());
                kill(server, lease.plusSeconds(2));
                await().atMost(Duration.ofMinutes(1)).until(() -> told.size() >= locks.size());
                Thread.sleep(Duration.ofSeconds(2));
                print("server killed for 32 s: %d of %d alive, %d losses told of %d locks",
                        alive(locks), locks.size(), told.size(),
                        told.stream().map(LostReservation::identifier).distinct().count());
            }
        }
    }

    private static void kill(PostgresServer server, Duration time) throws InterruptedException {
        server.kill();
        Thread.sleep(time);
        server.restart();
    }

    private static List<HeldLock> acquire(ReservationManager manager, int count) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(16)) {
            List<Future<HeldLock>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = "lock-" + i;
                futures.add(executor.submit(() -> manager.acquire(name)));
            }
            List<HeldLock> locks = new ArrayList<>();
            for (Future<HeldLock> future : futures) {
                locks.add(future.get());
            }
            return locks;
        }
    }

    private static long alive(List<HeldLock> locks) {
        return locks.stream().filter(HeldLock::isHeld).count();
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
