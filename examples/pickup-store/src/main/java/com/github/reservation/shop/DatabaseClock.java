// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import com.github.reservation.jdbc.Database;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * The time of the database. It decides when a hold ends, so it also decides when a hold starts: the clocks of the instances need not
 * agree. Columns contain UTC without a zone, which all databases store alike.
 */
@Component
public class DatabaseClock {

    private final JdbcOperations jdbc;

    DatabaseClock(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** Asks the database. Inside a transaction it may be the time at which the transaction started. */
    public Instant now() {
        return Objects.requireNonNull(jdbc.execute((ConnectionCallback<Instant>) Database::now));
    }

    /** Returns what a column contains for the instant. */
    public static LocalDateTime column(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    /** Returns the instant that a column contains. */
    public static Instant instant(LocalDateTime column) {
        return column.toInstant(ZoneOffset.UTC);
    }
}
