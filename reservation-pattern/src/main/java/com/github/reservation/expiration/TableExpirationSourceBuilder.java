// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Guard;
import com.github.reservation.internal.base.Limits;
import com.github.reservation.internal.expiration.ExpirationPlan;
import com.github.reservation.internal.expiration.ExpirationPlan.Publication;
import com.github.reservation.internal.expiration.TableExpiration;
import com.github.reservation.internal.expiration.jdbc.ExpiringTable;
import com.github.reservation.internal.expiration.jdbc.SqlParts;
import com.github.reservation.internal.expiration.jdbc.TableRows;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxMessage;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds sources for a table. Required: {@link #dataSource} or {@link #transactor}, {@link #table}, {@link #key}, {@link #status} and
 * {@link #expiresAt}. The names of the table and its columns, the status values and the condition become part of SQL statements: they
 * are for constants of your program, never for input. A builder is not thread-safe.
 *
 * @param <T> what the {@link RowReader} makes of a row
 */
public final class TableExpirationSourceBuilder<T> {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    static final int LARGEST_BATCH = 5_000;
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(100);
    private static final Duration LONGEST_LIMIT = Duration.ofHours(1);

    /** Drivers count the time limit of a statement in whole seconds. */
    private static final Duration SHORTEST_QUERY_TIMEOUT = Duration.ofSeconds(1);

    /** The column of the status, and two of its values. */
    private record Status(String column, String from, String to) {}

    private final String name;
    private final RowReader<T> reader;
    private @Nullable Transactor transactor;
    private @Nullable TableName table;
    private @Nullable Status status;
    private @Nullable String expiresAt;
    private @Nullable String version;
    private @Nullable String condition;
    private List<String> keys = List.of();
    private List<String> columns = List.of();
    private @Nullable BatchWork<T> work;
    private Optional<Publication<T>> publication = Optional.empty();
    private int batchSize = 500;
    private Duration timeLimit = Duration.ofSeconds(30);
    private Duration interval = Duration.ofMinutes(1);

    TableExpirationSourceBuilder(String name, RowReader<T> reader) {
        this.name = Limits.matching("name", name, NAME, "have 1 to 64 letters, digits or characters _ . -");
        this.reader = Objects.requireNonNull(reader, "reader must not be null");
    }

    /** Sets where connections come from, with {@link Transactor#of(DataSource)}. */
    public TableExpirationSourceBuilder<T> dataSource(DataSource dataSource) {
        return transactor(Transactor.of(dataSource));
    }

    /** Sets what runs the transactions. */
    public TableExpirationSourceBuilder<T> transactor(Transactor transactor) {
        this.transactor = Objects.requireNonNull(transactor, "transactor must not be null");
        return this;
    }

    /**
     * Sets the table, with or without its schema.
     *
     * @throws IllegalArgumentException if it is neither a plain identifier nor two of them separated by a dot
     */
    public TableExpirationSourceBuilder<T> table(String table) {
        this.table = new TableName(table);
        return this;
    }

    /**
     * Sets the columns of the primary key, at most eight.
     *
     * @throws IllegalArgumentException if there is none, if there are too many, or if one is no plain identifier
     */
    public TableExpirationSourceBuilder<T> key(String... columns) {
        this.keys = SqlParts.requireKey(columns);
        return this;
    }

    /**
     * Sets the status. Only rows with the status {@code from} expire, and they get the status {@code to}. Numbers are given as text.
     *
     * @throws IllegalArgumentException if the column is no plain identifier, if both values are equal but for case and
     *     trailing blanks, or if one has other characters than letters, digits, blanks and {@code _ . -}, or not between 1 and 64
     */
    public TableExpirationSourceBuilder<T> status(String column, String from, String to) {
        this.status = new Status(
                SqlParts.requireColumn("column", column),
                SqlParts.requireStatus("from", from),
                SqlParts.requireStatus("to", to));
        if (from.stripTrailing().equalsIgnoreCase(to.stripTrailing())) {
            throw new IllegalArgumentException(
                    "from and to must differ by more than case and trailing blanks, which some"
                            + " databases ignore, but are \"" + from + "\" and \"" + to + '"');
        }
        return this;
    }

    /**
     * Sets the column with the end of a row: a timestamp. If its type has no time zone, it must contain UTC.
     *
     * @throws IllegalArgumentException if it is no plain identifier
     */
    public TableExpirationSourceBuilder<T> expiresAt(String column) {
        this.expiresAt = SqlParts.requireColumn("column", column);
        return this;
    }

    /**
     * Sets a condition that rows must meet to expire, as SQL, for example {@code order_type = 'RESERVE_PICKUP'}. Inside it the table
     * has the name {@code t}. Default: none.
     *
     * @throws IllegalArgumentException if it is blank, has parentheses or quotes without their counterparts, or contains a parameter, a
     *     comment, a brace or a semicolon
     */
    public TableExpirationSourceBuilder<T> where(String condition) {
        this.condition = SqlParts.requireCondition(condition);
        return this;
    }

    /**
     * Sets a number column that grows by one when a row expires, as the {@code @Version} of JPA. Default: none.
     *
     * @throws IllegalArgumentException if it is no plain identifier
     */
    public TableExpirationSourceBuilder<T> version(String column) {
        this.version = SqlParts.requireColumn("column", column);
        return this;
    }

    /**
     * Sets which columns the reader reads, beside the key and the end. Default: all.
     *
     * @throws IllegalArgumentException if one is no plain identifier
     */
    public TableExpirationSourceBuilder<T> columns(String... columns) {
        this.columns = SqlParts.requireColumns(columns);
        return this;
    }

    /**
     * Sets the work for each batch. Default: none, only the status changes.
     *
     * @throws IllegalStateException if there is work already
     */
    public TableExpirationSourceBuilder<T> expireBatch(BatchWork<T> work) {
        Objects.requireNonNull(work, "work must not be null");
        if (this.work != null) {
            throw new IllegalStateException("A source has one work: expireBatch or expireRow, once");
        }
        this.work = work;
        return this;
    }

    /**
     * Sets the work for each row. {@link #expireBatch} is several times faster.
     *
     * @throws IllegalStateException if there is work already
     */
    public TableExpirationSourceBuilder<T> expireRow(RowWork<T> work) {
        Objects.requireNonNull(work, "work must not be null");
        return expireBatch((tx, batch) -> {
            for (T row : batch.rows()) {
                try {
                    work.expire(tx, row);
                } catch (Exception e) {
                    batch.reject(row, e);
                    throw e;
                }
            }
        });
    }

    /**
     * Publishes an event for each row, after the commit. A row for which the function throws or returns null does not expire: it
     * counts as failed. If the publisher throws, that event is lost and the row stays expired; the first of several such failures in a
     * row is a warning. Default: no events.
     *
     * @param event makes the event of a row, for each attempt anew; the time is when the row expires, by the clock of the database
     */
    public TableExpirationSourceBuilder<T> publish(
            ApplicationEvents publisher, BiFunction<? super T, Instant, ?> event) {
        Objects.requireNonNull(publisher, "publisher must not be null");
        Objects.requireNonNull(event, "event must not be null");
        Guard guard = Guard.logging("The publisher of source " + name + " failed; the rows stay expired");
        return publication(event, (tx, events) -> {}, published -> guard.run(() -> publisher.publish(published)));
    }

    /**
     * Appends an event for each row to an outbox, in the transaction in which the row expires: the event is there if and only if the row
     * expired, and a crash does not lose it. A row for which a function throws or returns null, or whose event cannot be written, does
     * not expire: it counts as failed. A later call of this method or of the other {@code publish} replaces it.
     *
     * @param outbox must use the database of this source
     * @param key makes the key of the event; events of one key are delivered in order
     * @param event makes the event of a row, for each attempt anew; the time is when the row expires, by the clock of the database
     */
    public TableExpirationSourceBuilder<T> publish(
            Outbox outbox, Function<? super T, String> key, BiFunction<? super T, Instant, ?> event) {
        Objects.requireNonNull(outbox, "outbox must not be null");
        Objects.requireNonNull(key, "key must not be null");
        Objects.requireNonNull(event, "event must not be null");
        return publication(
                (row, expiredAt) -> new OutboxMessage(key.apply(row), event.apply(row, expiredAt)),
                (tx, messages) -> outbox.appendAll(tx, messages.stream().map(OutboxMessage.class::cast).toList()),
                message -> {});
    }

    private TableExpirationSourceBuilder<T> publication(
            BiFunction<? super T, Instant, ?> event,
            BiConsumer<Connection, List<Object>> append,
            Consumer<Object> publish) {
        this.publication = Optional.of(new Publication<>(event, append, publish));
        return this;
    }

    /**
     * Sets how many rows expire in one transaction at most. Default: 500. A larger batch is faster and keeps its rows locked for
     * longer.
     *
     * @throws IllegalArgumentException if it is not between 1 and 5,000
     */
    public TableExpirationSourceBuilder<T> batchSize(int batchSize) {
        this.batchSize = Limits.between("batchSize", batchSize, 1, LARGEST_BATCH);
        return this;
    }

    /**
     * Sets how long the work of a batch may take, and how long each statement of the library. After
     * that, the statements of the work are cancelled and its thread is interrupted; the work counts as failed. Default: 30 seconds.
     *
     * @throws IllegalArgumentException if it is not between 100 ms and 1 hour
     */
    public TableExpirationSourceBuilder<T> timeLimit(Duration timeLimit) {
        this.timeLimit = Limits.between("timeLimit", timeLimit, SHORTEST_LIMIT, LONGEST_LIMIT);
        return this;
    }

    /**
     * Sets how long a job waits between two runs of this source. Default: 1 minute.
     *
     * @throws IllegalArgumentException if it is not between 1 ms and 365 days
     */
    public TableExpirationSourceBuilder<T> interval(Duration interval) {
        this.interval = ExpirationJobBuilder.requireInterval(interval);
        return this;
    }

    /**
     * Builds the source without a call to the database. The first run checks the table.
     *
     * @throws IllegalStateException if something required is not set
     */
    public TableExpirationSource<T> build() {
        Status required = require("status", status);
        ExpiringTable expiring = new ExpiringTable(
                require("table", table),
                require("key", keys.isEmpty() ? null : keys),
                required.column,
                required.from,
                required.to,
                require("expiresAt", expiresAt),
                Optional.ofNullable(version),
                Optional.ofNullable(condition),
                columns,
                timeLimit.compareTo(SHORTEST_QUERY_TIMEOUT) < 0 ? SHORTEST_QUERY_TIMEOUT : timeLimit);
        return new TableExpirationSource<>(
                new TableExpiration<>(new ExpirationPlan<T>(
                        name,
                        new TableRows(expiring),
                        require("dataSource or transactor", transactor),
                        reader,
                        Optional.ofNullable(work),
                        publication,
                        batchSize,
                        timeLimit,
                        Ticker.system())),
                interval);
    }

    private static <V> V require(String name, @Nullable V value) {
        if (value == null) {
            throw new IllegalStateException(name + " must be set before building");
        }
        return value;
    }
}
