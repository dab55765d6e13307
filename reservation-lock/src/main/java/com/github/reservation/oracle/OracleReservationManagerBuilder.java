// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.ReservationManager;
import com.github.reservation.Ticker;
import com.github.reservation.internal.jdbc.lock.TableName;
import com.github.reservation.internal.lock.ManagerSettings;
import com.github.reservation.internal.lock.StoreReservationManager;
import com.github.reservation.internal.metrics.ReservationMetrics;
import com.github.reservation.internal.store.LeaseStore;
import com.github.reservation.internal.store.Log;
import com.github.reservation.internal.waiting.PollIntervals;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds managers on a table of an Oracle database, or on another {@link LockingStrategy}.
 *
 * <p>Every operation takes a connection of its own from the {@code DataSource} and gives it back at once: none is held while
 * a lock is held or awaited, and none is the caller's transaction. For more options there is
 * {@link ReservationManager#jdbc}, which works on the same table.
 */
public final class OracleReservationManagerBuilder
        extends AbstractReservationManagerBuilder<OracleReservationManagerBuilder> {

    private final DataSource dataSource;
    private TableName tableName = new TableName("RESERVATION_LOCKS");
    private @Nullable LockingStrategy lockingStrategy;
    private Duration pollInterval = Duration.ofMillis(100);
    private Duration maxPollInterval = Duration.ofSeconds(2);

    /** See {@link ReservationManager#oracle(DataSource)}. */
    public OracleReservationManagerBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /**
     * Sets the name of the lock table, with its schema if need be. Default: {@code RESERVATION_LOCKS}. A strategy of your own
     * does not get to know it.
     *
     * @throws IllegalArgumentException if it is not one plain identifier, or two with a dot between them
     */
    public OracleReservationManagerBuilder tableName(String tableName) {
        this.tableName = new TableName(tableName);
        return this;
    }

    /** Sets how locks are kept. Default: a {@link TableBasedLockingStrategy} on the data source and the table. */
    public OracleReservationManagerBuilder lockingStrategy(LockingStrategy lockingStrategy) {
        this.lockingStrategy = Objects.requireNonNull(lockingStrategy, "lockingStrategy must not be null");
        return this;
    }

    /**
     * Sets how long a refused waiter pauses before it asks again; each pause is twice as long. Default: 100 ms.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public OracleReservationManagerBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = PollIntervals.requireValid("pollInterval", pollInterval);
        return this;
    }

    /**
     * Sets the longest such pause. Default: 2 seconds.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 1 hour
     */
    public OracleReservationManagerBuilder maxPollInterval(Duration maxPollInterval) {
        this.maxPollInterval = PollIntervals.requireValid("maxPollInterval", maxPollInterval);
        return this;
    }

    /**
     * Builds the manager; asks the database nothing.
     *
     * @throws IllegalStateException if no domain was set, or if the poll interval is longer than the longest
     */
    @Override
    public ReservationManager build() {
        String domain = requireDomain();
        PollIntervals.requireOrdered(pollInterval, maxPollInterval);
        Duration leaseTime = leaseTime();
        if (lockingStrategy == null && TableBasedLockingStrategy.QUERY_TIMEOUT.compareTo(leaseTime) >= 0) {
            Log.warn(
                    "leaseTime " + leaseTime + " of domain " + domain
                            + " is not longer than a statement may take, " + TableBasedLockingStrategy.QUERY_TIMEOUT
                            + ": a lock may be waited for longer than it would last",
                    null);
        }
        return new StoreReservationManager(
                store(),
                new ManagerSettings(
                        domain,
                        leaseTime,
                        true,
                        pollInterval,
                        maxPollInterval,
                        Ticker.system(),
                        ReservationMetrics.of(meterRegistry(), "oracle"),
                        "Database error acquiring reservation"));
    }

    private LeaseStore store() {
        LockingStrategy strategy = lockingStrategy != null
                ? lockingStrategy
                : new TableBasedLockingStrategy(dataSource, tableName.name());
        // A subclass may do anything differently: only the table itself is known to keep fences.
        return strategy.getClass() == TableBasedLockingStrategy.class
                ? ((TableBasedLockingStrategy) strategy).leases(maxPollInterval)
                : StrategyLeases.of(strategy);
    }
}
