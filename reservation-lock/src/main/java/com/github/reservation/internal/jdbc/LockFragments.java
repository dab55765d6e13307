// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.internal.sql.TableName;
import java.util.HashMap;
import java.util.Map;

/** The fragments that the statements on a lock table share. */
final class LockFragments {

    private LockFragments() {}

    static SqlTemplates of(Dialect dialect, TableName table) {
        Map<String, String> fragments = new HashMap<>(times(dialect));
        fragments.putAll(queue(dialect));
        fragments.put("table", table.name());
        fragments.put("limit", dialect.atMostRows(":limit"));
        fragments.put("next fence", dialect.asGeneratedKey("COALESCE(fence + 1, {epoch micros})"));
        fragments.put("returning fence", dialect.hasReturning() ? "RETURNING fence" : "");
        fragments.put("same key", sameBytes(dialect, "reservation_key", ":key"));
        fragments.put("same holder", sameBytes(dialect, "holder", ":holder"));
        fragments.put("wait briefly", dialect.lockWait().map(condition -> "\n  AND " + condition).orElse(""));
        return new SqlTemplates(fragments, LockValues.PARAMETERS);
    }

    private static Map<String, String> times(Dialect dialect) {
        return Map.of(
                "now", dialect.now(),
                "lease end", dialect.nowPlus(":micros"),
                "grace end", dialect.nowPlus(":grace"),
                "long ago", dialect.nowMinus(":micros"),
                "epoch", dialect.epoch(),
                "epoch micros", dialect.microsBetween(dialect.epoch(), dialect.now()),
                "remaining", dialect.microsBetween(dialect.now(), "expires_at"),
                "reserved", dialect.microsBetween(dialect.now(), "reserved_until"),
                "granted ago",
                "CASE WHEN expires_at > {now} THEN " + dialect.microsBetween("acquired_at", dialect.now())
                        + " ELSE 0 END");
    }

    /** The queue in {@link WaitersColumn}. {@code {row}} can be set to the prefix of the columns of the stored row. */
    private static Map<String, String> queue(Dialect dialect) {
        return Map.of(
                "row", "",
                "capacity", String.valueOf(WaitersColumn.CAPACITY),
                "first", "SUBSTR({row}waiters, 1, " + WaitersColumn.ENTRY_LENGTH + ")",
                "in queue", dialect.contains("{row}waiters", ":node"),
                "queue with node", dialect.concat("COALESCE({row}waiters, '')", ":node"),
                "node before queue", dialect.concat(":node", "COALESCE(REPLACE(waiters, :node, ''), '')"),
                "can join",
                "({row}waiters IS NULL OR (NOT {in queue} AND LENGTH({row}waiters) < {capacity}))",
                "reserve for first",
                "reserved_until = CASE WHEN waiters IS NULL THEN reserved_until ELSE {grace end} END");
    }

    /** Compares a column by its bytes too, if {@code =} can find different texts equal. */
    private static String sameBytes(Dialect dialect, String column, String parameter) {
        return dialect.comparesByLanguage()
                ? "\n  AND " + dialect.bytesOf(column) + " = " + dialect.bytesOf(parameter)
                : "";
    }
}
