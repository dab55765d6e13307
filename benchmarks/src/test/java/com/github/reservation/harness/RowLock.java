// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.harness;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The least that a lock in a table can cost: two statements on one row by its key, each in autocommit, that change who holds the row
 * and until when. It excludes nobody.
 *
 * @param take the statement that locks, with the holder and the key as parameters
 */
public record RowLock(DataSource pool, String take, String giveBack, String name) {

    /** Makes a lock on a row that is there. */
    public static RowLock onRow(DataSource pool, String table, String name) {
        return new RowLock(pool, update(table, "2026-01-01"), update(table, "1970-01-01"), name);
    }

    /** Makes a lock that has to insert its row. */
    public static RowLock onNewRow(DataSource pool, String table, String name) {
        return new RowLock(pool, """
                INSERT INTO %s (holder, reservation_key, acquired_at, expires_at, fence)
                VALUES (?, ?, TIMESTAMP '2026-01-01 00:00:00', TIMESTAMP '2026-01-01 00:00:00', 1)
                """.formatted(table), update(table, "1970-01-01"), name);
    }

    /** Changes the end of the lease, as every lock must: where that has an index, it is part of the limit. */
    private static String update(String table, String day) {
        return "UPDATE " + table + " SET holder = ?, expires_at = TIMESTAMP '" + day
                + " 00:00:00' WHERE reservation_key = ?";
    }

    public void lock() throws SQLException {
        execute(take, "holder");
    }

    public void unlock() throws SQLException {
        execute(giveBack, "nobody");
    }

    private void execute(String sql, String holder) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, holder);
            statement.setString(2, name);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("No row: " + name);
            }
        }
    }
}
