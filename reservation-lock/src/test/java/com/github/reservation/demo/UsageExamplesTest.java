// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.ReservationManager;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.memory.InMemoryStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The README's examples of how to use a reservation. */
class UsageExamplesTest {

    private final InMemoryStore store = new InMemoryStore();
    private final ReservationManager orders =
            ReservationManager.inMemory(store).domain("orders").build();
    private final Reservation order = orders.getReservation("42");
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final List<String> done = new ArrayList<>();
    private long seenFence;

    @AfterEach
    void closeManager() {
        orders.close();
    }

    @Test
    void lockAndUnlock() {
        // @start region="lock"
        Reservation order = orders.getReservation("42");
        order.lock();
        try {
            ship("42");
        } finally {
            order.unlock();
        }
        // @end

        assertThat(done).containsExactly("ship 42");
        assertThat(order.isLocked()).isFalse();
    }

    @Test
    void waitForALimitedTimeAndHoldForAnother() throws InterruptedException {
        // @start region="try-lock"
        if (order.tryLock(Duration.ofSeconds(5), Duration.ofMinutes(10))) {
            try {
                ship("42");
            } finally {
                order.unlock();
            }
        } else {
            throw new IllegalStateException("Order 42 is busy");
        }
        // @end

        assertThat(done).containsExactly("ship 42");
    }

    @Test
    void runAndCall() {
        // @start region="run"
        orders.run("42", held -> ship("42"));
        String label = orders.call("42", held -> printLabel("42"));
        // @end

        assertThat(done).containsExactly("ship 42");
        assertThat(label).isEqualTo("label 42");
    }

    @Test
    void runAndCallIfItIsOursInTime() throws InterruptedException {
        // @start region="try-run"
        if (!orders.tryRun("42", held -> ship("42")).isExecuted()) {
            log("Order 42 is busy");
        }
        LockOptions patient = LockOptions.defaults().waitTime(Duration.ofSeconds(5));
        String label = orders.tryCall("42", patient, held -> printLabel("42")).orElse("no label");
        // @end

        assertThat(done).containsExactly("ship 42");
        assertThat(label).isEqualTo("label 42");
        assertThat(log).isEmpty();
    }

    @Test
    void renewBetweenTheSteps() {
        Reservation order = orders.getReservation("42");
        // @start region="renew"
        order.lock();
        try {
            for (String item : List.of("shirt", "shoes")) {
                if (!order.renew()) {
                    throw new IllegalStateException("Order 42 is lost");
                }
                pack(item);
            }
        } finally {
            order.unlock();
        }
        // @end

        assertThat(done).containsExactly("pack shirt", "pack shoes");
    }

    @Test
    void hearOfALoss() throws InterruptedException {
        // @start region="on-lost"
        orders.onLost(lost -> {
            log("Order " + lost.identifier() + " was lost: " + lost.reason());
            lost.thread().interrupt();
        });
        // @end
        order.lock();

        store.expireNow(order.getReservationKey());

        assertThatThrownBy(() -> Thread.sleep(Duration.ofSeconds(30))).isInstanceOf(InterruptedException.class);
        assertThat(log.poll(30, TimeUnit.SECONDS)).isEqualTo("Order 42 was lost: " + LossReason.EXPIRED);
        assertThatThrownBy(order::unlock).isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void catchTheExpiry() {
        // @start region="expired"
        order.lock();
        try {
            shipSlowly("42");
        } finally {
            try {
                order.unlock();
            } catch (ReservationExpiredException e) {
                log("Order 42 took too long: another node may have shipped it too");
            }
        }
        // @end

        assertThat(done).containsExactly("ship 42");
        assertThat(log).containsExactly("Order 42 took too long: another node may have shipped it too");
    }

    @Test
    void sendTheFencingTokenAlong() {
        // @start region="fence"
        orders.run("42", held -> {
            long token = held.fencingToken().getAsLong();
            if (!markShipped("42", token)) {
                throw new IllegalStateException("Order 42 was written by a later holder");
            }
        });
        // @end

        assertThat(seenFence).isPositive();
        assertThat(markShipped("42", seenFence - 1)).isFalse();
    }

    @Test
    void holdItMoreThanOnce() {
        // @start region="reentrant"
        order.lock();
        order.lock(); // does not wait; renews the lease
        order.unlock();
        order.unlock(); // now it is free
        // @end

        assertThat(order.isLocked()).isFalse();
    }

    @Test
    void lockOnADatabase() throws SQLException {
        DataSource dataSource = h2WithTheShippedTable();
        // @start region="jdbc"
        ReservationManager orders =
                ReservationManager.jdbc(dataSource).domain("orders").leaseTime(Duration.ofMinutes(2)).build();
        orders.run("42", held -> ship("42"));
        // @end

        assertThat(done).containsExactly("ship 42");
        assertThat(orders.getReservation("42").isLocked()).isFalse();
        orders.close();
    }

    /** Makes a database that lives in this JVM, with the table as users get it. */
    private static DataSource h2WithTheShippedTable() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:usage-examples;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2"));
        }
        return dataSource;
    }

    private void ship(String id) {
        done.add("ship " + id);
    }

    /** Takes longer than the lease. */
    private void shipSlowly(String id) {
        ship(id);
        store.expireNow("orders::" + id);
    }

    private String printLabel(String id) {
        return "label " + id;
    }

    private void pack(String item) {
        done.add("pack " + item);
    }

    private void log(String line) {
        log.add(line);
    }

    /** Stands in for the UPDATE statement that the README shows. */
    private boolean markShipped(String id, long token) {
        if (token < seenFence) {
            return false;
        }
        seenFence = token;
        return true;
    }
}
