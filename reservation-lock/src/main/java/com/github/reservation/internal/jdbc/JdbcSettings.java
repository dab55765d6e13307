// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a lock table, which a builder has validated.
 *
 * @param durableRelease whether a release waits until it is on disk, if the database has the choice
 * @param grace for how long a released key is reserved for the first waiting node
 * @param purgeAfter how long ago a key must have been acquired last before its row is deleted; empty to keep all rows
 */
public record JdbcSettings(
        SqlTable table, boolean durableRelease, Duration grace, Optional<Duration> purgeAfter) {

    /** The table that the DDL creates. */
    public static final TableName DEFAULT_TABLE = new TableName("RESERVATION_LOCKS");

    public static final Duration DEFAULT_QUERY_TIMEOUT = Duration.ofSeconds(5);

    public static final Duration DEFAULT_PURGE_AFTER = Duration.ofDays(1);

    /** If a statement hung for longer than the row of its key exists, fencing tokens could go back. */
    public static final Duration SHORTEST_PURGE_AFTER = Duration.ofHours(1);

    private static final Duration DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(1);

    /** Returns a grace that is long enough for nodes that poll at this interval, but at most a second. */
    public static Duration graceFor(Duration maxPollInterval) {
        return maxPollInterval.compareTo(LONGEST_GRACE) < 0 ? maxPollInterval.plus(DELAY) : LONGEST_GRACE;
    }

    /** Warns if a statement may take as long as a lease lasts. */
    public void warnIfSlowerThan(Duration leaseTime, String domain) {
        Duration queryTimeout = table.queryTimeout();
        if (queryTimeout.compareTo(leaseTime) >= 0) {
            Log.warn(
                    "leaseTime " + leaseTime + " of domain " + domain + " is not longer than the query timeout "
                            + queryTimeout + ": a thread may wait for a lock longer than the lock would last",
                    null);
        }
    }
}
