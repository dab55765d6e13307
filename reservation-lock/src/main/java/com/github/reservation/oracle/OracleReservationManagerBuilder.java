// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.bridge.StrategyLeaseStore;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.waiting.PollIntervals;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds managers on a table of an Oracle database, or on another {@link LockingStrategy}.
 *
 * <p>Every operation takes a connection from the {@code DataSource} and returns it at once. No connection is kept while a lock is
 * held or awaited, and no operation takes part in the caller's transaction. {@link ReservationManager#jdbc} uses the same table
 * and has more options.
 */
public final class OracleReservationManagerBuilder
        extends AbstractReservationManagerBuilder<OracleReservationManagerBuilder> {

    private final DataSource dataSource;
    private TableName tableName = JdbcSettings.DEFAULT_TABLE;
    private @Nullable LockingStrategy lockingStrategy;
    private Duration pollInterval = Duration.ofMillis(100);
    private Duration maxPollInterval = Duration.ofSeconds(2);

    /** Creates a builder, like {@link ReservationManager#oracle(DataSource)}. */
    public OracleReservationManagerBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /**
     * Sets the name of the lock table, with or without its schema. Default: {@code RESERVATION_LOCKS}. It has no effect if you set
     * a {@link #lockingStrategy}.
     *
     * @throws IllegalArgumentException if it is neither a plain identifier nor two of them separated by a dot
     */
    public OracleReservationManagerBuilder tableName(String tableName) {
        this.tableName = new TableName(tableName);
        return this;
    }

    /** Sets the strategy that stores the locks. Default: a {@link TableBasedLockingStrategy} on the data source and the table. */
    public OracleReservationManagerBuilder lockingStrategy(LockingStrategy lockingStrategy) {
        this.lockingStrategy = Objects.requireNonNull(lockingStrategy, "lockingStrategy must not be null");
        return this;
    }

    /**
     * Sets the shortest pause between two polls of a waiter. Default: 100 ms. The first node in the queue pauses for a sixteenth of
     * the time since the key was granted, but not shorter than this and not longer than {@link #maxPollInterval}.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public OracleReservationManagerBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = PollIntervals.requireValid("pollInterval", pollInterval);
        return this;
    }

    /**
     * Sets the longest pause between two polls of a waiter. Default: 2 seconds.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public OracleReservationManagerBuilder maxPollInterval(Duration maxPollInterval) {
        this.maxPollInterval = PollIntervals.requireValid("maxPollInterval", maxPollInterval);
        return this;
    }

    /**
     * Builds the manager without a call to the database.
     *
     * @throws IllegalStateException if no domain was set, or if {@code pollInterval} is longer than {@code maxPollInterval}
     */
    @Override
    public ReservationManager build() {
        String domain = requireDomain();
        PollIntervals.requireOrdered(pollInterval, maxPollInterval);
        return new StoreReservationManager(
                store(domain),
                new ManagerSettings(
                        domain,
                        leaseTime(),
                        true,
                        pollInterval,
                        maxPollInterval,
                        Ticker.system(),
                        Meters.of(meterRegistry(), "oracle"))
                        .acquisitionFailed("Database error acquiring reservation")
                        .autoRenew(maxHold())
                        .holderLabel(holderLabel()));
    }

    private LeaseStore store(String domain) {
        LockingStrategy strategy = lockingStrategy == null
                ? new TableBasedLockingStrategy(dataSource, tableName.name())
                : lockingStrategy;
        // A subclass may change anything: only the class itself is known to keep fences.
        if (strategy.getClass() != TableBasedLockingStrategy.class) {
            return StrategyLeaseStore.of(strategy);
        }
        JdbcSettings settings = ((TableBasedLockingStrategy) strategy).settings(maxPollInterval);
        settings.warnIfSlowerThan(leaseTime(), domain);
        return new JdbcLeaseStore(settings);
    }
}
