// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.server.PostgresServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The connection that listens, when no notification comes, and when the server is gone. */
@SideBySide
@Execution(ExecutionMode.SAME_THREAD) // A test looks for the thread that it has started.
@Needs(value = Backend.POSTGRESQL, ownServer = true)
class ListeningTest {

    private static final Duration NEVER = Duration.ofHours(1);

    private final PostgresServer server = PostgresServer.start();
    private final TestDatabase database = Databases.POSTGRESQL.on(server);
    private final ListeningConnections listeners = new ListeningConnections(database);
    private final StoredQueue queue = new StoredQueue(database, "orders::42");
    private final Set<Thread> before = threads();

    @BeforeEach
    void install() {
        database.install();
    }

    @AfterEach
    void close() {
        database.close();
        server.close();
    }

    @Test
    void aConnectionThatReceivesNothingTakesNoTime() throws Exception {
        Reservation one = node(database.pool(1)).getReservation("42");
        Set<Thread> fresh = threads();
        fresh.removeAll(before);
        assertThat(fresh).hasSize(1);
        Thread listening = fresh.iterator().next();
        Reservation other = node(database.pool(1)).getReservation("42");
        listeners.awaitCount(2);
        for (int i = 0; i < 3; i++) {
            handOver(other, one);
        }

        long spent = ManagementFactory.getThreadMXBean().getThreadCpuTime(listening.threadId());
        Thread.sleep(2_000); // This is what is measured.
        spent = ManagementFactory.getThreadMXBean().getThreadCpuTime(listening.threadId()) - spent;

        assertThat(Duration.ofNanos(spent)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void theThreadEndsAlthoughTheServerIsFrozen() {
        ReservationManager manager = node(database.pool(1));
        listeners.awaitCount(1);
        server.freeze();
        try {
            manager.close();

            await().until(() -> before.containsAll(threads()));
        } finally {
            server.thaw();
        }
    }

    @Test
    void aConnectionThatFellSilentIsReplaced() throws Exception {
        DataSource notifications = database.pool(2);
        Reservation one = node(notifications).getReservation("42");
        Reservation other = node(notifications).getReservation("42");
        listeners.awaitCount(1);
        String silent = database.query("SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN reservation_lock'");
        signal("STOP", silent);
        try {
            // Ten seconds without a notification, and ten more without an answer.
            await().atMost(Duration.ofSeconds(30)).until(() -> listeners.count() == 2);

            handOver(one, other);
        } finally {
            signal("CONT", silent);
        }
    }

    /** Has one of them wait for the key until the other one gives it back: nobody polls here. */
    private void handOver(Reservation from, Reservation to) throws Exception {
        from.lock();
        try (Actor actor = new Actor("waits")) {
            Future<?> handedOver = actor.starts(() -> {
                to.lock();
                to.unlock();
            });
            queue.awaitLength(1);
            from.unlock();
            handedOver.get(10, TimeUnit.SECONDS);
        }
    }

    private ReservationManager node(DataSource notifications) {
        ReservationManager manager = database.opened(ReservationManager.jdbc(database.pool(2))
                .domain("orders")
                .leaseTime(NEVER.multipliedBy(2))
                .pollInterval(NEVER)
                .maxPollInterval(NEVER)
                .notifications(notifications)
                .build());
        manager.listReservations();
        return manager;
    }

    private static void signal(String name, String process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, process).start().waitFor()).isZero();
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("reservation-notifications"))
                .collect(Collectors.toSet());
    }
}
