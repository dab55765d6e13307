// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The settings of a table of claims, which a builder has validated.
 *
 * @param dialect the database; empty to find it out from the first connection
 * @param queryTimeout how long one statement may take
 * @param transactionWait how long one statement in a caller's transaction may take
 * @param purgeAfter how long ago a released or expired claim must have ended before its row is deleted; empty to keep all rows
 */
public record ClaimSettings(
        DataSource dataSource,
        Optional<Dialect> dialect,
        TableName table,
        Duration queryTimeout,
        Duration transactionWait,
        Optional<Duration> purgeAfter) {

    /** The table that the DDL creates. */
    public static final TableName DEFAULT_TABLE = new TableName("RESERVATION_CLAIMS");

    /** What the name of the DDL adds to that of the database. */
    static final String DDL = "-claims";

    TableSessions.Table sessionTable() {
        return new TableSessions.Table(dataSource, dialect, table, queryTimeout, DDL);
    }
}
