// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.jdbc.lock.Dialect;
import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.jdbc.lock.JdbcSettings;
import com.github.reservation.internal.jdbc.lock.NotifyingJdbcLeases;
import com.github.reservation.internal.jdbc.lock.TableName;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.ReservationMetrics;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.waiting.PollIntervals;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds managers on a table of a relational database.
 *
 * <p>Every operation takes a connection of its own from the {@code DataSource} and gives it back at once: none is held while
 * a lock is held or awaited, and none is the caller's transaction. A small {@code DataSource} for locks alone is a good
 * idea: a pool that the application has used up is a store that cannot be reached.
 */
public final class JdbcReservationManagerBuilder
        extends AbstractReservationManagerBuilder<JdbcReservationManagerBuilder> {

    private static final Duration SHORTEST_MEMORY = Duration.ofHours(1);

    private final DataSource dataSource;
    private @Nullable Database database;
    private TableName tableName = new TableName("RESERVATION_LOCKS");
    private Duration pollInterval = Duration.ofMillis(10);
    private Duration maxPollInterval = Duration.ofMillis(100);
    private Duration queryTimeout = Duration.ofSeconds(5);
    private Optional<Duration> purgeAfter = Optional.of(Duration.ofDays(1));
    private boolean durableRelease;
    private @Nullable DataSource notifications;

    /** See {@link ReservationManager#jdbc(DataSource)}. */
    public JdbcReservationManagerBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /** Sets which database it is. Default: found out from the first connection. */
    public JdbcReservationManagerBuilder database(Database database) {
        this.database = Objects.requireNonNull(database, "database must not be null");
        return this;
    }

    /**
     * Sets the name of the lock table, with its schema if need be. Default: {@code RESERVATION_LOCKS}.
     *
     * @throws IllegalArgumentException if it is not one plain identifier, or two with a dot between them
     */
    public JdbcReservationManagerBuilder tableName(String tableName) {
        this.tableName = new TableName(tableName);
        return this;
    }

    /**
     * Sets how long a refused waiter pauses before it asks again; each pause is twice as long. Default: 10 ms. One that can be
     * called, see {@link #notifications}, begins with the longest pause.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public JdbcReservationManagerBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = PollIntervals.requireValid("pollInterval", pollInterval);
        return this;
    }

    /**
     * Sets the longest such pause. Default: 100 ms.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public JdbcReservationManagerBuilder maxPollInterval(Duration maxPollInterval) {
        this.maxPollInterval = PollIntervals.requireValid("maxPollInterval", maxPollInterval);
        return this;
    }

    /**
     * Sets how long a statement may take before it is cancelled. Default: 5 seconds. PostgreSQL is a tenth of a second late,
     * the others count whole seconds; H2 has no limit for one statement, only its own for locks. Should be shorter than the
     * lease time; {@link #build()} warns if it is not.
     *
     * @throws IllegalArgumentException if it is shorter than 1 second or longer than {@link Integer#MAX_VALUE} seconds
     */
    public JdbcReservationManagerBuilder queryTimeout(Duration queryTimeout) {
        Objects.requireNonNull(queryTimeout, "queryTimeout must not be null");
        if (queryTimeout.toSeconds() < 1 || queryTimeout.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("queryTimeout must be at least 1 second and at most " + Integer.MAX_VALUE
                    + " seconds, but is " + queryTimeout);
        }
        this.queryTimeout = queryTimeout;
        return this;
    }

    /**
     * Sets how long ago a key must have been acquired last before its row is deleted, if nobody holds it: 1,000 rows at a
     * time, about once an hour. Default: 1 day. {@link Duration#ZERO} keeps all rows.
     *
     * @throws IllegalArgumentException if it is neither zero nor at least 1 hour; a statement that hangs for longer than a key
     *     is remembered could make its fencing tokens go back
     */
    public JdbcReservationManagerBuilder purgeAfter(Duration purgeAfter) {
        Objects.requireNonNull(purgeAfter, "purgeAfter must not be null");
        if (!purgeAfter.isZero() && purgeAfter.compareTo(SHORTEST_MEMORY) < 0) {
            throw new IllegalArgumentException(
                    "purgeAfter must be zero or at least " + SHORTEST_MEMORY + ", but is " + purgeAfter);
        }
        this.purgeAfter = Optional.of(purgeAfter).filter(Duration::isPositive);
        return this;
    }

    /**
     * Sets whether a release on PostgreSQL waits until it is on disk. Default: false, which is faster. A release that a
     * crash of the server swallows leaves the key locked until its lease ends, and nothing worse: acquisitions always wait.
     * The other databases have no such choice; there a release always waits.
     */
    public JdbcReservationManagerBuilder durableRelease(boolean durableRelease) {
        this.durableRelease = durableRelease;
        return this;
    }

    /**
     * Sets where PostgreSQL can call this manager: a node that waits is woken as soon as it is its turn, instead of finding
     * out when it polls. Default: none.
     *
     * <p>One connection of the data source is taken and kept for all managers that name it, on a thread of its own; if it
     * breaks it is made again, and waiters poll meanwhile. It must be a session of its own: through PgBouncer in transaction
     * mode nothing is ever heard. May be the data source of the locks, if one connection more is no matter. All managers of a
     * table should have it, or none: one that does not listen does not call either.
     */
    public JdbcReservationManagerBuilder notifications(DataSource notifications) {
        this.notifications = Objects.requireNonNull(notifications, "notifications must not be null");
        return this;
    }

    /**
     * Builds the manager; asks the database nothing.
     *
     * @throws IllegalStateException if no domain was set, if the poll interval is longer than the longest, or if notifications
     *     were asked for and the database is not PostgreSQL
     */
    @Override
    public ReservationManager build() {
        String domain = requireDomain();
        requireConsistent();
        Duration leaseTime = leaseTime();
        if (queryTimeout.compareTo(leaseTime) >= 0) {
            Log.warn(
                    "queryTimeout " + queryTimeout + " is not shorter than leaseTime " + leaseTime + " of domain "
                            + domain + ": a lock may be waited for longer than it would last",
                    null);
        }
        Optional<Dialect> dialect = Optional.ofNullable(database).map(Database::dialect);
        JdbcSettings table = new JdbcSettings(
                dataSource,
                dialect,
                tableName,
                queryTimeout,
                durableRelease,
                JdbcSettings.graceFor(maxPollInterval),
                purgeAfter);
        return new StoreReservationManager(
                notifications == null ? new JdbcLeases(table) : new NotifyingJdbcLeases(table, notifications),
                new ManagerSettings(
                        domain,
                        leaseTime,
                        true,
                        pollInterval,
                        maxPollInterval,
                        Ticker.system(),
                        ReservationMetrics.of(meterRegistry(), "jdbc")));
    }

    private void requireConsistent() {
        if (notifications != null && database != null && database != Database.POSTGRESQL) {
            throw new IllegalStateException("notifications need POSTGRESQL, but database is " + database);
        }
        PollIntervals.requireOrdered(pollInterval, maxPollInterval);
    }
}
