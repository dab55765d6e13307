// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.outbox.KeyIds;
import com.github.reservation.internal.outbox.OutboxStore.KeyState;
import com.github.reservation.internal.outbox.OutboxStore.Listener;
import com.github.reservation.internal.outbox.OutboxStore.NewEvent;
import com.github.reservation.internal.outbox.StoredEvent;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.outbox.OutboxStart;
import com.github.reservation.outbox.OutboxTables;
import com.github.reservation.store.StoreException;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What tests of the store of an outbox start from: empty tables, on one database after another. */
@ParameterizedClass
@EnumSource(names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
abstract class OnOutboxStore {

    static final String MAILER = "mailer";
    static final String BILLING = "billing";
    static final String KEY = "k";
    static final String TYPE = "order";
    static final String ME = "me";
    static final String OTHER = "other";
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration OVER = Duration.ofSeconds(-1);
    static final long BUDGET = 1_000_000;

    /** Something that a transaction does. */
    @FunctionalInterface
    interface Work {
        void run(Connection connection) throws Exception;
    }

    @Parameter
    protected Databases kind;

    @TempDir
    protected Path directory;

    protected TestDatabase database;
    protected HikariDataSource pool;
    protected JdbcOutbox store;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        pool = database.pool(8);
        OutboxTables.install(database);
        store = storeOn(pool, Duration.ofSeconds(10));
    }

    static JdbcOutbox storeOn(DataSource pool, Duration queryTimeout) {
        return new JdbcOutbox(
                new SqlTable(pool, Optional.empty(), JdbcOutbox.DEFAULT_EVENTS, queryTimeout, JdbcOutbox.DDL),
                Optional.empty());
    }

    @AfterEach
    void close() {
        database.close();
    }

    Set<String> register(String id, String... types) throws StoreException {
        return store.register(new Listener(id, List.of(types), OutboxStart.NEW_EVENTS));
    }

    static NewEvent event(String key, String type, String payload, String... listeners) {
        String keyId = KeyIds.of(key);
        int bytes = payload.getBytes(StandardCharsets.UTF_8).length;
        return new NewEvent(keyId, KeyIds.laneOf(keyId), key, type, payload, bytes, List.of(listeners));
    }

    /** Appends events, in one transaction; returns the types that nobody wants. */
    Set<String> append(NewEvent... events) throws SQLException, StoreException {
        List<Set<String>> unwanted = new ArrayList<>();
        transaction(connection -> unwanted.add(store.append(connection, List.of(events))));
        return unwanted.getFirst();
    }

    /** Appends events of one key, each in a transaction of its own. */
    void append(String key, String... payloads) throws SQLException, StoreException {
        for (String payload : payloads) {
            append(event(key, TYPE, payload));
        }
    }

    void transaction(Work work) throws SQLException, StoreException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.run(connection);
                connection.commit();
            } catch (SQLException | StoreException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    static int shared(String key) {
        return KeyIds.laneOf(KeyIds.of(key));
    }

    boolean hasOwnLane(String listener, String key) {
        return database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX_KEYS WHERE listener_id = '" + listener
                + "' AND key_id = '" + KeyIds.of(key) + "'").equals("1");
    }

    List<StoredEvent> read(String listener, long lane) throws StoreException {
        return store.read(listener, lane, BUDGET).events();
    }

    List<String> payloads(String listener, long lane) throws StoreException {
        return payloads(read(listener, lane).stream());
    }

    static List<String> payloads(Stream<StoredEvent> events) {
        return events.map(StoredEvent::payload).toList();
    }

    /** Gives a key that shares a lane its own one; returns its lane. */
    long open(String key, KeyState state) throws StoreException {
        store.take(MAILER, shared(key), ME, LEASE);
        List<StoredEvent> events = read(MAILER, shared(key)).stream()
                .filter(event -> event.key().equals(key))
                .toList();
        if (!store.open(MAILER, shared(key), ME, events, state)) {
            throw new AssertionError("The lane was not opened");
        }
        return -events.getFirst().id();
    }

    static KeyState failed(long head, int attempts, Duration pause) {
        return new KeyState(head, attempts, false, Optional.of(pause), "It failed");
    }

    static KeyState parked(long head, int attempts) {
        return new KeyState(head, attempts, false, Optional.empty(), "It failed");
    }

    static KeyState underWay(long head, int attempts) {
        return new KeyState(head, attempts, true, Optional.of(LEASE), "-");
    }

    long count(String table) {
        return Long.parseLong(database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX" + table));
    }

    /** Moves a time of a table, as if the clock of the database had been set. */
    void shift(String table, String column, Duration by) {
        database.shift("RESERVATION_OUTBOX" + table, column, by);
    }
}
