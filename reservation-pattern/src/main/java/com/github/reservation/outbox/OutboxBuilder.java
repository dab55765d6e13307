// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.MeasuredBuilder;
import com.github.reservation.Ticker;
import com.github.reservation.internal.base.Limits;
import com.github.reservation.internal.outbox.JacksonCodec;
import com.github.reservation.internal.outbox.OutboxMeters;
import com.github.reservation.internal.outbox.OutboxPlan;
import com.github.reservation.internal.outbox.StoreOutbox;
import com.github.reservation.internal.outbox.jdbc.JdbcOutbox;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.jdbc.Database;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds an outbox. A builder is not thread-safe; the outbox that it builds is. */
public final class OutboxBuilder extends MeasuredBuilder<OutboxBuilder> {

    private static final int MEGABYTE = 1024 * 1024;
    private static final int SMALLEST_BYTES = 1_024;
    private static final int MOST_BYTES = 1_024 * MEGABYTE;
    private static final int MOST_WORKERS = 256;
    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofMinutes(10);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);
    private static final Duration LONGEST_RETRY = Duration.ofDays(365);
    private static final Duration SHORTEST_ABSENCE = Duration.ofHours(1);
    private static final Duration LONGEST_ABSENCE = Duration.ofDays(3650);
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);
    private static final Duration SHORTEST_QUERY = Duration.ofSeconds(1);
    private static final Duration LONGEST_QUERY = Duration.ofHours(1);
    private static final Duration USUAL_QUERY = Duration.ofSeconds(10);

    /** A lease is extended when a third of it is over. A statement that is cancelled then costs another third, and a third is left. */
    private static final int QUERIES_PER_LEASE = 3;

    private final DataSource dataSource;
    private @Nullable Database database;
    private @Nullable OutboxCodec codec;
    private TableName table = JdbcOutbox.DEFAULT_EVENTS;
    private Duration retryFor = Duration.ofDays(1);
    private int workers = 8;
    private int pageBytes = 8 * MEGABYTE;
    private int largestEvent = 8 * MEGABYTE;
    private Duration absentAfter = Duration.ofDays(7);
    private boolean dropAbsent;
    private Duration pollInterval = Duration.ofSeconds(1);
    private Duration firstPause = Duration.ofSeconds(1);
    private Duration longestPause = Duration.ofMinutes(10);
    private Duration leaseTime = Duration.ofSeconds(30);
    private @Nullable Duration queryTimeout;
    private @Nullable DataSource notifications;

    OutboxBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /** Sets the database. Default: detected on the first connection. */
    public OutboxBuilder database(Database database) {
        this.database = Objects.requireNonNull(database, "database must not be null");
        return this;
    }

    /**
     * Sets the name of the table of events, with or without its schema. The names of the other tables are this one and
     * {@code _DELIVERIES}, {@code _KEYS}, {@code _LANES} and {@code _LISTENERS}. Default: {@code RESERVATION_OUTBOX}.
     *
     * @throws IllegalArgumentException if it is neither a plain identifier nor two of them separated by a dot
     */
    public OutboxBuilder table(String table) {
        this.table = new TableName(table);
        return this;
    }

    /** Sets how events become text. Default: Jackson 2 or 3 with all modules that are on the class path. */
    public OutboxBuilder codec(OutboxCodec codec) {
        this.codec = Objects.requireNonNull(codec, "codec must not be null");
        return this;
    }

    /**
     * Sets for how long an event is delivered again after a failure, before it is parked: until the {@linkplain #pauses pauses} between
     * the attempts add up to this time. Zero parks an event at its first failure. Default: 1 day.
     *
     * @throws IllegalArgumentException if it is negative or longer than 365 days
     */
    public OutboxBuilder retryFor(Duration retryFor) {
        this.retryFor = Limits.between("retryFor", retryFor, Duration.ZERO, LONGEST_RETRY);
        return this;
    }

    /**
     * Sets how long the outbox waits after a failed attempt. The pause doubles with each attempt. Default: from 1 second to 10 minutes.
     *
     * @throws IllegalArgumentException if one is not between 1 ms and 1 day, or if the first is longer than the longest
     */
    public OutboxBuilder pauses(Duration first, Duration longest) {
        Limits.between("first", first, SHORTEST_PAUSE, LONGEST_PAUSE);
        Limits.between("longest", longest, SHORTEST_PAUSE, LONGEST_PAUSE);
        if (first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "first must not be longer than longest, but is " + first + " and longest is " + longest);
        }
        this.firstPause = first;
        this.longestPause = longest;
        return this;
    }

    /**
     * Sets how many keys are delivered to one listener at the same time by this instance. Default: 8.
     *
     * @throws IllegalArgumentException if it is not between 1 and 256
     */
    public OutboxBuilder workers(int workers) {
        this.workers = Limits.between("workers", workers, 1, MOST_WORKERS);
        return this;
    }

    /**
     * Sets how many bytes of events a worker of a listener reads at once. A larger event is read alone. Default: 8 MB.
     *
     * @throws IllegalArgumentException if it is not between 1 KB and 1 GB
     */
    public OutboxBuilder pageBytes(int pageBytes) {
        this.pageBytes = Limits.between("pageBytes", pageBytes, SMALLEST_BYTES, MOST_BYTES);
        return this;
    }

    /**
     * Sets how many bytes an event may have, as the codec writes it, in UTF-8. A larger one is refused. MySQL and MariaDB also have a
     * limit, {@code max_allowed_packet}. Default: 8 MB.
     *
     * @throws IllegalArgumentException if it is not between 1 KB and 1 GB
     */
    public OutboxBuilder largestEvent(int largestEvent) {
        this.largestEvent = Limits.between("largestEvent", largestEvent, SMALLEST_BYTES, MOST_BYTES);
        return this;
    }

    /**
     * Sets after how long a listener, or one of its types, counts as absent: no instance has had it for so long. A warning says so, once
     * in each instance, because events pile up for it. Default: 7 days.
     *
     * @throws IllegalArgumentException if it is not between 1 hour and 3,650 days
     */
    public OutboxBuilder absentAfter(Duration absentAfter) {
        this.absentAfter = Limits.between("absentAfter", absentAfter, SHORTEST_ABSENCE, LONGEST_ABSENCE);
        return this;
    }

    /**
     * Forgets what counts as {@linkplain #absentAfter absent}, and removes the events that wait for it. An outbox does so that delivers in the
     * background, but not in its first hour, nor in the hour after the database was away. Default: only a warning.
     */
    public OutboxBuilder dropAbsent() {
        this.dropAbsent = true;
        return this;
    }

    /**
     * Sets how long an outbox that found nothing to do waits before it looks again. Default: 1 second.
     *
     * @throws IllegalArgumentException if it is not between 10 ms and 10 minutes
     */
    public OutboxBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = Limits.between("pollInterval", pollInterval, SHORTEST_POLL, LONGEST_POLL);
        return this;
    }

    /**
     * Sets for how long an instance reserves what it delivers. It extends that as long as a listener runs. After a crash, what the
     * instance was delivering waits for so long. Default: 30 seconds.
     *
     * @throws IllegalArgumentException if it is not between 5 seconds and 1 hour
     */
    public OutboxBuilder leaseTime(Duration leaseTime) {
        this.leaseTime = Limits.between("leaseTime", leaseTime, SHORTEST_LEASE, LONGEST_LEASE);
        return this;
    }

    /**
     * Sets how long a statement may run before it is cancelled. It must not be longer than a third of the lease time: an instance could
     * lose a lease while it waits for a statement. Default: 10 seconds, or a third of the lease time if that is shorter. H2 ignores
     * this option.
     *
     * @throws IllegalArgumentException if it is not between 1 second and 1 hour
     */
    public OutboxBuilder queryTimeout(Duration queryTimeout) {
        this.queryTimeout = Limits.between("queryTimeout", queryTimeout, SHORTEST_QUERY, LONGEST_QUERY);
        return this;
    }

    /**
     * Sets the data source on which this outbox listens for notifications of PostgreSQL. PostgreSQL then wakes an outbox that has
     * nothing to do soon after an event is committed, instead of at its next poll. Default: none.
     *
     * <p>The outbox listens from {@link Outbox#start} until it is closed. It shares one connection and one thread with all outboxes and
     * lock managers of the same data source. If the connection breaks, the library opens a new one, and the outbox polls meanwhile.
     * The connection must be a real session: through PgBouncer in transaction mode no notification arrives. The data source of the
     * outbox works too, if it has one connection to spare.
     *
     * <p>Set this option on all outboxes of a table or on none: an outbox that does not listen does not notify either. An outbox
     * notifies every 100 ms at most, in the transaction that appends, with one more statement. If that transaction is rolled back, nobody is
     * notified. If it is retried within the 100 ms, it does not notify, and its events may wait for a poll. PostgreSQL cannot prepare a
     * transaction that notifies for a two-phase commit.
     */
    public OutboxBuilder notifications(DataSource notifications) {
        this.notifications = Objects.requireNonNull(notifications, "notifications must not be null");
        return this;
    }

    /**
     * Builds the outbox without a call to the database. It starts nothing.
     *
     * @throws IllegalArgumentException if the query timeout is longer than a third of the lease time
     * @throws IllegalStateException if no codec is set and Jackson is not on the class path, or if {@code notifications} is set and
     *     {@code database} is not PostgreSQL
     */
    public Outbox build() {
        if (notifications != null && database != null && database != Database.POSTGRESQL) {
            throw new IllegalStateException("notifications need POSTGRESQL, but database is " + database);
        }
        SqlTable events = SqlTable.of(dataSource, database, table, validQueryTimeout(), JdbcOutbox.DDL);
        return new StoreOutbox(new OutboxPlan(
                new JdbcOutbox(events, Optional.ofNullable(notifications)),
                codec == null ? JacksonCodec.find() : codec,
                new OutboxPlan.Retry(firstPause, longestPause, retryFor),
                workers,
                pageBytes,
                largestEvent,
                new OutboxPlan.Absence(absentAfter, dropAbsent),
                pollInterval,
                leaseTime,
                Ticker.system(),
                OutboxMeters.of(meterRegistry(), table.name())));
    }

    private Duration validQueryTimeout() {
        Duration longest = leaseTime.dividedBy(QUERIES_PER_LEASE);
        if (queryTimeout == null) {
            return longest.compareTo(USUAL_QUERY) < 0 ? longest : USUAL_QUERY;
        }
        if (queryTimeout.compareTo(longest) > 0) {
            throw new IllegalArgumentException("queryTimeout must not be longer than a third of leaseTime, but is "
                    + queryTimeout + " and leaseTime is " + leaseTime);
        }
        return queryTimeout;
    }
}
