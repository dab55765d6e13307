// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.jdbc.NotifyingJdbcLeaseStore;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.waiting.PollIntervals;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds managers on a table of a relational database.
 *
 * <p>Every operation takes a connection from the {@code DataSource} and returns it at once. No connection is kept while a lock is
 * held or awaited, and no operation takes part in the caller's transaction. Use a small, separate {@code DataSource} for locks: if
 * the application exhausts a shared pool, locks cannot reach the database.
 */
public final class JdbcReservationManagerBuilder
        extends AbstractReservationManagerBuilder<JdbcReservationManagerBuilder> {

    private final DataSource dataSource;
    private @Nullable Database database;
    private TableName tableName = JdbcSettings.DEFAULT_TABLE;
    private Duration pollInterval = Duration.ofMillis(1);
    private Duration maxPollInterval = Duration.ofMillis(100);
    private Duration queryTimeout = JdbcSettings.DEFAULT_QUERY_TIMEOUT;
    private Optional<Duration> purgeAfter = Optional.of(JdbcSettings.DEFAULT_PURGE_AFTER);
    private boolean durableRelease;
    private @Nullable DataSource notifications;

    /** Creates a builder, like {@link ReservationManager#jdbc(DataSource)}. */
    public JdbcReservationManagerBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /** Sets the database. Default: detected on the first connection. */
    public JdbcReservationManagerBuilder database(Database database) {
        this.database = Objects.requireNonNull(database, "database must not be null");
        return this;
    }

    /**
     * Sets the name of the lock table, with or without its schema. Default: {@code RESERVATION_LOCKS}.
     *
     * @throws IllegalArgumentException if it is neither a plain identifier nor two of them separated by a dot
     */
    public JdbcReservationManagerBuilder tableName(String tableName) {
        this.tableName = new TableName(tableName);
        return this;
    }

    /**
     * Sets the shortest pause between two polls of a waiter. Default: 1 ms. The first node in the queue pauses for a sixteenth of the
     * time since the key was granted, but not shorter than this and not longer than {@link #maxPollInterval}. Nodes behind it
     * pause longer. With {@link #notifications} it counts only while their connection is broken.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public JdbcReservationManagerBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = PollIntervals.requireValid("pollInterval", pollInterval);
        return this;
    }

    /**
     * Sets the longest pause between two polls of a waiter. Default: 100 ms. A node that finds the queue full pauses for up to
     * twice as long.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public JdbcReservationManagerBuilder maxPollInterval(Duration maxPollInterval) {
        this.maxPollInterval = PollIntervals.requireValid("maxPollInterval", maxPollInterval);
        return this;
    }

    /**
     * Sets how long a statement may run before it is cancelled. Default: 5 seconds. It should be shorter than the lease time;
     * {@link #build()} logs a warning if it is not. PostgreSQL cancels up to a tenth of a second later. Other databases count whole
     * seconds. H2 ignores this option: it limits only its own waits for row locks.
     *
     * @throws IllegalArgumentException if it is shorter than 1 second or longer than {@link Integer#MAX_VALUE} seconds
     */
    public JdbcReservationManagerBuilder queryTimeout(Duration queryTimeout) {
        this.queryTimeout = SqlTable.requireSeconds("queryTimeout", queryTimeout);
        return this;
    }

    /**
     * Sets how long after its last acquisition the row of a free key is deleted. The purge runs about once an hour and deletes at
     * most 1,000 rows at a time. Default: 1 day. {@link Duration#ZERO} keeps all rows. An hour is the least: if a row were deleted
     * while a statement for its key hangs, the fencing token could decrease.
     *
     * @throws IllegalArgumentException if it is neither zero nor at least 1 hour
     */
    public JdbcReservationManagerBuilder purgeAfter(Duration purgeAfter) {
        this.purgeAfter = PurgeScope.requireAfter(purgeAfter, JdbcSettings.SHORTEST_PURGE_AFTER);
        return this;
    }

    /**
     * Sets whether a release on PostgreSQL waits until it is on disk. Default: false, which is faster. If a server crash loses a
     * release, the key stays locked until its lease ends, and nothing worse happens: acquisitions always wait for the disk. On other databases
     * this option has no effect; a release always waits.
     */
    public JdbcReservationManagerBuilder durableRelease(boolean durableRelease) {
        this.durableRelease = durableRelease;
        return this;
    }

    /**
     * Sets the data source on which this manager listens for notifications of PostgreSQL. PostgreSQL then wakes a waiter at
     * once instead of at its next poll. Default: none.
     *
     * <p>All managers with the same data source share one connection and one thread while one of them is open. If the connection breaks, the
     * library opens a new one, and waiters poll meanwhile. The connection must be a real session: through PgBouncer in transaction
     * mode no notification arrives. The data source of the locks works too, if it has one connection to spare. Set this option on
     * all managers of a table or on none: a manager that does not listen does not notify either.
     */
    public JdbcReservationManagerBuilder notifications(DataSource notifications) {
        this.notifications = Objects.requireNonNull(notifications, "notifications must not be null");
        return this;
    }

    /**
     * Builds the manager without a call to the database.
     *
     * @throws IllegalStateException if no domain was set, if {@code pollInterval} is longer than {@code maxPollInterval}, or if
     *     {@code notifications} is set and {@code database} is not PostgreSQL
     */
    @Override
    public ReservationManager build() {
        String domain = requireDomain();
        requireConsistent();
        JdbcSettings settings = new JdbcSettings(
                SqlTable.of(dataSource, database, tableName, queryTimeout, ""),
                durableRelease,
                JdbcSettings.graceFor(maxPollInterval),
                purgeAfter);
        settings.warnIfSlowerThan(leaseTime(), domain);
        return new StoreReservationManager(
                notifications == null
                        ? new JdbcLeaseStore(settings)
                        : new NotifyingJdbcLeaseStore(settings, notifications),
                new ManagerSettings(
                        domain,
                        leaseTime(),
                        true,
                        pollInterval,
                        maxPollInterval,
                        Ticker.system(),
                        Meters.of(meterRegistry(), "jdbc"))
                        .autoRenew(maxHold())
                        .holderLabel(holderLabel()));
    }

    private void requireConsistent() {
        if (notifications != null && database != null && database != Database.POSTGRESQL) {
            throw new IllegalStateException("notifications need POSTGRESQL, but database is " + database);
        }
        PollIntervals.requireOrdered(pollInterval, maxPollInterval);
    }
}
