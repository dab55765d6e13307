// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlFile;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows the statements to tests of other packages. */
public final class ExpirationStatementsOf {

    private ExpirationStatementsOf() {}

    /** Returns the text of each statement on the orders of the documentation, by its purpose. */
    public static Map<String, String> orders(Dialect dialect) {
        return all(dialect, dialect.isTimeType("DATETIME") ? "DATETIME" : "TIMESTAMP", new ExpiringTable(
                new TableName("pickup_orders"),
                List.of("order_id"),
                "status",
                "RESERVED",
                "EXPIRED",
                "hold_expires_at",
                Optional.of("version"),
                Optional.of("order_type = 'RESERVE_PICKUP'"),
                List.of("store_id", "user_id", "item_id", "quantity"),
                Duration.ofSeconds(30)));
    }

    /** Returns the text of each statement on a table with a key of two columns, whose times have a zone. */
    public static Map<String, String> rowsWithZone(Dialect dialect) {
        return all(dialect, "TIMESTAMP WITH TIME ZONE", new ExpiringTable(
                new TableName("shop.carts"),
                List.of("shop", "cart"),
                "state",
                "1",
                "2",
                "ends",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Duration.ofSeconds(30)));
    }

    private static Map<String, String> all(Dialect dialect, String timeType, ExpiringTable table) {
        try {
            TableClock clock = TableClock.of(dialect, table.expiresAt(), timeType);
            Map<String, String> all = new LinkedHashMap<>();
            SqlStatement check = ExpirationStatements.check(table);
            all.put(check.purpose(), check.text());
            all.putAll(SqlFile.textsOf(new ExpirationStatements(clock, table).templates));
            return all;
        } catch (StoreException e) {
            throw new AssertionError(e);
        }
    }
}
