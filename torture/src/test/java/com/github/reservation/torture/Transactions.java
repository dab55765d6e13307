// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** Runs transactions as an application does. */
public final class Transactions {

    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private Transactions() {}

    /** What a transaction does; says whether it is to be committed. */
    @FunctionalInterface
    public interface Work {
        boolean isDone(Connection connection) throws SQLException;
    }

    /** Runs work at READ COMMITTED, and returns whether it was committed. If it throws, that is not known. */
    public static boolean run(DataSource dataSource, Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            try {
                boolean commits = work.isDone(connection);
                if (commits) {
                    connection.commit();
                }
                return commits;
            } finally {
                // Does nothing after a commit.
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /**
     * Waits until a query counts none, also while the database does not answer. If the count stays as it is for long, it returns: what is
     * left then is a finding.
     */
    public static void awaitNone(DataSource dataSource, String count) throws InterruptedException {
        long left = Long.MAX_VALUE;
        long changed = System.nanoTime();
        while (left > 0 && System.nanoTime() - changed < PATIENCE.toNanos()) {
            Thread.sleep(PAUSE.toMillis());
            OptionalLong now = number(dataSource, count);
            if (now.isPresent() && now.getAsLong() != left) {
                left = now.getAsLong();
                changed = System.nanoTime();
            }
        }
    }

    private static OptionalLong number(DataSource dataSource, String count) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(count)) {
            return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
        } catch (SQLException e) {
            return OptionalLong.empty();
        }
    }
}
