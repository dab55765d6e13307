// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.internal.sql.TableSessions;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Where the tables of an outbox are; a builder has validated it.
 *
 * @param dialect the database; empty to find it out from the first connection
 * @param events the table of events, whose name begins the names of the others
 * @param queryTimeout how long one statement may take
 * @param notifications where to listen for notifications of PostgreSQL; empty to neither listen nor notify
 */
public record OutboxTables(
        DataSource dataSource,
        Optional<Dialect> dialect,
        TableName events,
        Duration queryTimeout,
        Optional<DataSource> notifications) {

    /** The table that the DDL creates. */
    public static final TableName DEFAULT_EVENTS = new TableName("RESERVATION_OUTBOX");

    /** What the name of the DDL adds to that of the database. */
    static final String DDL = "-outbox";

    static TableName listeners(TableName events) {
        return new TableName(events + "_LISTENERS");
    }

    static TableName lanes(TableName events) {
        return new TableName(events + "_LANES");
    }

    static TableName deliveries(TableName events) {
        return new TableName(events + "_DELIVERIES");
    }

    TableSessions.Table sessionTable() {
        return new TableSessions.Table(dataSource, dialect, events, queryTimeout, DDL);
    }
}
