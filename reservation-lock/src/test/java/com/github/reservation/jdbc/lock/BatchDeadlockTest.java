// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many leases are renewed in one statement while other transactions lock the same rows. */
@Needs(Backend.POSTGRESQL)
@SideBySide
class BatchDeadlockTest {

    private static final Duration LEASE = Duration.ofHours(1);

    @TempDir
    private Path directory;

    /**
     * The renewal locks row a, and has to wait for row b. Meanwhile another transaction, which has locked row c, waits for row a. When row
     * b is free, the renewal waits for row c: that is a deadlock. PostgreSQL ends the transaction that notices it first.
     *
     * <p>A renewal waits only a moment for a row. On a busy machine that may be over too soon; then the scene is played again. The rows have
     * moved meanwhile, and PostgreSQL would lock them in another order.
     */
    @Test
    void aRenewalThatEndsByADeadlockIsSentAgain_andNothingIsLost() throws Exception {
        try (TestDatabase database = Databases.POSTGRESQL.open(directory);
                TestDatabase impatient = database.with("options=-c%20deadlock_timeout=20ms");
                Actor renewing = new Actor("renewing");
                Actor other = new Actor("other")) {
            RecordingDataSource recorded = new RecordingDataSource(impatient.pool(1));
            LockProvider provider = impatient.manager(recorded.dataSource(), LEASE).lockProvider();
            List<LockLease> leases = Stream.of("a", "b", "c")
                    .map(name -> Objects.requireNonNull(provider.acquireLock(name, "run-" + name, LEASE)))
                    .toList();
            int scenes = 0;
            do {
                assertThat(++scenes).as("scenes in which the same statement was not sent twice").isLessThan(10);
                database.execute("CLUSTER RESERVATION_LOCKS USING pk_reservation_locks");
                recorded.clear();
                try (Connection ofOther = database.connect(); Connection third = database.connect()) {
                    ofOther.setAutoCommit(false);
                    execute(ofOther, "SET deadlock_timeout = '1min'");
                    lock(ofOther, "c");
                    third.setAutoCommit(false);
                    lock(third, "b");
                    Future<List<LockLease>> renewed =
                            renewing.starts(() -> provider.renew(leases, LEASE.multipliedBy(2)));
                    await().until(() -> waiting(database) == 1 || renewed.isDone());
                    Future<?> locked = other.starts(() -> lock(ofOther, "a"));
                    await().until(() -> waiting(database) == 2 || locked.isDone());
                    third.commit();

                    Actor.result(locked);
                    ofOther.commit();

                    assertThat(Actor.result(renewed)).extracting(LockLease::name).containsExactly("a", "b", "c");
                }
            } while (recorded.executions().size() != 2);
        }
    }

    private static void lock(Connection connection, String names) throws SQLException {
        execute(connection, "UPDATE RESERVATION_LOCKS SET fence = fence + 1 WHERE reservation_key LIKE 'orders::"
                + names + "'");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns how many statements in this database wait for a row. */
    private static int waiting(TestDatabase database) {
        return Integer.parseInt(database.query("""
                SELECT COUNT(*)
                FROM pg_stat_activity
                WHERE datname = current_database()
                  AND wait_event_type = 'Lock'
                """));
    }
}
