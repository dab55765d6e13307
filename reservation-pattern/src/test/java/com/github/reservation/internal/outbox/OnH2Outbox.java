// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.awaitility.Awaitility.await;

import com.github.reservation.Ticker;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.outbox.Delivery;
import com.github.reservation.outbox.OutboxBacklog;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.store.PurgingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of the delivery start from that come between the outbox and its store: empty tables on H2. */
abstract class OnH2Outbox {

    record Paid(String order) {}

    private static final OutboxCodec CODEC = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            return ((Paid) event).order();
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type.cast(new Paid(json));
        }
    };

    /** Comes before a call to the store: fails it, or lets it pass. */
    @FunctionalInterface
    interface Fault {
        void at(String method, Object[] arguments) throws Throwable;
    }

    static final String LISTENER = "mailer";

    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final int MEGABYTE = 1_000_000;

    /** Listeners that wait for it go on at the end of a test. */
    final CountDownLatch goOn = new CountDownLatch(1);

    final List<String> arrived = new CopyOnWriteArrayList<>();
    StoreOutbox outbox;
    private final JdbcDataSource dataSource = new JdbcDataSource();

    @BeforeEach
    void install() throws SQLException {
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = connection(); Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2-outbox"));
        }
    }

    @AfterEach
    void close() {
        goOn.countDown();
        outbox.close();
    }

    Connection connection() throws SQLException {
        return dataSource.getConnection();
    }

    /** Returns an outbox that polls often and hardly pauses, as its ticker measures it. */
    StoreOutbox build(Ticker ticker, int maxAttempts, Duration lease, Fault fault) {
        return build(ticker, maxAttempts, lease, OutboxMeters.NONE, fault);
    }

    StoreOutbox build(Ticker ticker, int maxAttempts, Duration lease, OutboxMeters meters, Fault fault) {
        return build(ticker, maxAttempts, lease, new OutboxPlan.Absence(Duration.ofDays(7), false), meters, fault);
    }

    StoreOutbox build(
            Ticker ticker, int maxAttempts, Duration lease, OutboxPlan.Absence absence, OutboxMeters meters,
            Fault fault) {
        OutboxStore real = new JdbcOutbox(
                new SqlTable(dataSource, Optional.empty(), JdbcOutbox.DEFAULT_EVENTS, Duration.ofSeconds(5),
                        JdbcOutbox.DDL),
                Optional.empty());
        OutboxStore faulty = (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[]{OutboxStore.class, PurgingStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    if (!method.getName().equals("purgeScope")) { // No call to the database.
                        fault.at(method.getName(), arguments);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new StoreOutbox(new OutboxPlan(
                faulty, CODEC, new OutboxPlan.Retry(PAUSE, PAUSE, PAUSE.multipliedBy(maxAttempts - 1)), 8, MEGABYTE,
                MEGABYTE, absence, Duration.ofMillis(20), lease, ticker, meters));
    }

    void note(Paid event, Delivery delivery) {
        arrived.add(event.order());
    }

    void append(String key, String... orders) throws SQLException {
        try (Connection connection = connection()) {
            connection.setAutoCommit(false);
            for (String order : orders) {
                outbox.append(connection, key, new Paid(order));
            }
            connection.commit();
        }
    }

    void awaitEmpty() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> outbox.backlog().equals(new OutboxBacklog(0, 0, Optional.empty())));
    }

    void execute(String statement) throws SQLException {
        try (Connection connection = connection(); Statement sending = connection.createStatement()) {
            sending.execute(statement);
        }
    }

    int count(String table) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM RESERVATION_OUTBOX" + table)) {
            row.next();
            return row.getInt(1);
        }
    }
}
