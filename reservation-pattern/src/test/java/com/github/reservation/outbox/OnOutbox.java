// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.awaitility.Awaitility.await;

import com.github.reservation.jdbc.lock.Databases;
import com.github.reservation.jdbc.lock.TestDatabase;
import com.github.reservation.outbox.Step.Taken;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What tests of the outbox start from: empty tables, on one database after another. */
@ParameterizedClass
@EnumSource(names = "H2_FILE", mode = EnumSource.Mode.EXCLUDE)
abstract class OnOutbox {

    static final String LISTENER = "mailer";

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
    protected Outbox outbox;

    /** What arrived, as {@code key:number}. */
    protected final List<String> arrived = new CopyOnWriteArrayList<>();

    private final List<Outbox> opened = new ArrayList<>();

    @BeforeEach
    void open() {
        database = kind.open(directory);
        pool = database.pool(16);
        OutboxTables.install(database);
        outbox = build(builder());
    }

    @AfterEach
    void close() {
        opened.forEach(Outbox::close);
        database.close();
    }

    /** Returns a builder of an outbox that polls often and hardly pauses. */
    protected OutboxBuilder builder() {
        return Outbox.jdbc(pool)
                .codec(Step.CODEC)
                .pollInterval(Duration.ofMillis(20))
                .pauses(Duration.ofMillis(1), Duration.ofMillis(2))
                .leaseTime(Duration.ofSeconds(5));
    }

    /** Has the outbox closed at the end. */
    protected Outbox build(OutboxBuilder builder) {
        Outbox built = builder.build();
        opened.add(built);
        return built;
    }

    protected void note(Step step, Delivery delivery) {
        arrived.add(delivery.key() + ':' + step.number());
    }

    protected List<String> arrivedOf(String key) {
        return arrived.stream().filter(one -> one.startsWith(key + ':')).toList();
    }

    /** Appends steps of these numbers, in one transaction. */
    protected void append(String key, int... numbers) {
        transaction(connection -> {
            for (int number : numbers) {
                outbox.append(connection, key, new Taken(number));
            }
        });
    }

    protected void transaction(Work work) {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.run(connection);
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    protected long rows() {
        return rows("");
    }

    protected long rows(String table) {
        return Long.parseLong(database.query("SELECT COUNT(*) FROM RESERVATION_OUTBOX" + table));
    }

    /** Returns how many rows tell of deliveries. */
    protected long records() {
        return rows("_DELIVERIES") + rows("_KEYS");
    }

    protected void awaitEmpty() {
        await().atMost(Duration.ofSeconds(60)).until(() -> rows() + records() == 0);
    }

    protected static List<String> steps(String key, int... numbers) {
        return Arrays.stream(numbers).mapToObj(number -> key + ':' + number).toList();
    }
}
