// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What a builder tells the store; the builder has validated it.
 *
 * @param dialect the database, or empty to find out
 * @param durableRelease whether a release waits for its flush to disk where the database can do without
 * @param grace how long a key that was given back is kept for the first in line
 * @param purgeAfter how long nobody must have wanted a key before it is forgotten; empty to keep all
 */
public record JdbcSettings(
        DataSource dataSource,
        Optional<Dialect> dialect,
        TableName table,
        Duration queryTimeout,
        boolean durableRelease,
        Duration grace,
        Optional<Duration> purgeAfter) {

    private static final Duration LATE = Duration.ofMillis(50);
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(1);

    /** Returns a grace that is long enough for one who polls that often, within reason. */
    public static Duration graceFor(Duration maxPollInterval) {
        return maxPollInterval.compareTo(LONGEST_GRACE) < 0 ? maxPollInterval.plus(LATE) : LONGEST_GRACE;
    }

    /** Returns the same for nodes that poll that often. */
    public JdbcSettings pollingEach(Duration maxPollInterval) {
        return new JdbcSettings(
                dataSource, dialect, table, queryTimeout, durableRelease, graceFor(maxPollInterval), purgeAfter);
    }
}
