// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Expires the orders of a {@link Sweep} with db-scheduler: one task for each order, which does its work in one transaction. */
public final class DbSchedulerSweep {

    public static final String SETUP =
            "one task for each order; pollUsingLockAndFetch(1.0, 4.0), its strategy for"
                    + " high throughput, with 20 threads, and a look every second";

    private static final int THREADS = 20;

    /** As its documentation gives it for PostgreSQL. */
    private static final String DDL = """
            CREATE TABLE scheduled_tasks (
                task_name            TEXT NOT NULL,
                task_instance        TEXT NOT NULL,
                task_data            BYTEA,
                execution_time       TIMESTAMP WITH TIME ZONE NOT NULL,
                picked               BOOLEAN NOT NULL,
                picked_by            TEXT,
                last_success         TIMESTAMP WITH TIME ZONE,
                last_failure         TIMESTAMP WITH TIME ZONE,
                consecutive_failures INT,
                last_heartbeat       TIMESTAMP WITH TIME ZONE,
                version              BIGINT NOT NULL,
                priority             SMALLINT,
                PRIMARY KEY (task_name, task_instance)
            );
            CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
            CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
            """;

    private static final String EXPIRE = """
            UPDATE pickup_orders SET status = 'EXPIRED', version = version + 1
            WHERE order_id = ? AND status = 'RESERVED'
            RETURNING item_id, quantity
            """;

    private final Sweep sweep;

    public DbSchedulerSweep(Sweep sweep) throws SQLException {
        this.sweep = sweep;
        sweep.execute(DDL);
    }

    /** Schedules a task for each order, which is overdue at once. */
    public void schedule() throws SQLException {
        sweep.execute("""
                TRUNCATE scheduled_tasks;
                INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version)
                SELECT 'expire', order_id::text, now() - INTERVAL '1 hour', false, 1 FROM pickup_orders;
                ANALYZE scheduled_tasks;
                """);
    }

    /** Expires so many orders, and returns how long it took from the start of the scheduler to the end of the last one, in ns. */
    public long run(int rows) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(rows);
        OneTimeTask<Void> task = Tasks.oneTime("expire").execute((order, context) -> {
            expire(Long.parseLong(order.getId()));
            left.countDown();
        });
        Scheduler scheduler = Scheduler.create(sweep.pool(), task)
                .threads(THREADS)
                .pollUsingLockAndFetch(1.0, 4.0)
                .pollingInterval(Duration.ofSeconds(1))
                .build();
        long start = System.nanoTime();
        scheduler.start();
        left.await();
        long took = System.nanoTime() - start;
        scheduler.stop();
        return took;
    }

    private void expire(long order) {
        try (Connection connection = sweep.pool().getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement update = connection.prepareStatement(EXPIRE)) {
                update.setLong(1, order);
                try (ResultSet row = update.executeQuery()) {
                    row.next();
                    giveBack(connection, row.getLong(1), row.getInt(2));
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException("Order " + order + " was not expired", e);
        }
    }

    private static void giveBack(Connection connection, long item, int quantity) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE stock SET available = available + ? WHERE item_id = ?")) {
            update.setInt(1, quantity);
            update.setLong(2, item);
            update.executeUpdate();
        }
    }
}
