// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.lock.JdbcLeases;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.lease.LockLease;
import com.github.reservation.lease.LockProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many leases are renewed at the same time as other transactions lock the same rows. */
@SideBySide
class BatchDeadlockTest {

    private static final Duration LEASE = Duration.ofHours(1);

    @TempDir
    private Path directory;

    /**
     * The renewal locks row a, and has to wait for row b. Meanwhile another transaction, which has locked row c, waits for row a. When row
     * b is free, the renewal waits for row c: that is a deadlock. PostgreSQL ends the transaction that notices it first, MariaDB the one
     * that has changed fewer rows.
     */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aRenewalThatEndsByADeadlockIsSentAgain_andNothingIsLost(Databases kind) throws Exception {
        boolean postgresql = kind == Databases.POSTGRESQL;
        try (TestDatabase database = kind.open(directory);
                TestDatabase impatient = postgresql ? database.with("options=-c%20deadlock_timeout=20ms") : database;
                Actor renewing = new Actor("renewing");
                Actor other = new Actor("other")) {
            RecordingDataSource recorded = new RecordingDataSource(impatient.pool(1));
            LockProvider provider = impatient.manager(recorded.dataSource(), LEASE).lockProvider();
            List<LockLease> leases = Stream.of("a", "b", "c")
                    .map(name -> Objects.requireNonNull(provider.acquireLock(name, "run-" + name, LEASE)))
                    .toList();
            IntStream.range(0, 20).forEach(i -> provider.acquireLock("more-" + i, "run-" + i, LEASE));
            recorded.clear();

            try (Connection ofOther = database.connect(); Connection third = database.connect()) {
                ofOther.setAutoCommit(false);
                if (postgresql) {
                    execute(ofOther, "SET deadlock_timeout = '1min'");
                }
                lock(ofOther, "more-%");
                lock(ofOther, "c");
                third.setAutoCommit(false);
                lock(third, "b");
                Future<List<LockLease>> renewed = renewing.starts(() -> provider.renew(leases, LEASE.multipliedBy(2)));
                await().until(() -> waiting(database) == 1);
                Future<?> locked = other.starts(() -> lock(ofOther, "a"));
                await().until(() -> waiting(database) == 2);
                third.commit();

                Actor.result(locked);
                ofOther.commit();

                assertThat(Actor.result(renewed)).extracting(LockLease::name).containsExactly("a", "b", "c");
                assertThat(recorded.executions()).as("sent again").hasSize(2);
            }
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
        return Integer.parseInt(database.query(database.kind() == Databases.POSTGRESQL ? """
                SELECT COUNT(*)
                FROM pg_stat_activity
                WHERE datname = current_database()
                  AND wait_event_type = 'Lock'
                """ : """
                SELECT COUNT(*)
                FROM information_schema.innodb_trx
                JOIN information_schema.processlist ON id = trx_mysql_thread_id
                WHERE trx_state = 'LOCK WAIT'
                  AND db = DATABASE()
                """));
    }

    /** Without the order of the keys, this ends in deadlocks at once. */
    @Test
    void transactionsThatGetTheSameLeasesInOppositeOrdersDoNotDeadlock() throws Exception {
        try (TestDatabase database = Databases.MARIADB.open(directory);
                Actor forwards = new Actor("forwards");
                Actor backwards = new Actor("backwards")) {
            JdbcLeases store = TestDatabase.leases(database.pool(2), Optional.empty());
            List<LeaseId> ids = IntStream.range(0, 150).mapToObj(i -> new LeaseId("many-" + i, "run-" + i)).toList();
            for (LeaseId id : ids) {
                assertThat(store.acquire(AcquireRequest.once(id, LEASE, "node"))).isInstanceOf(Granted.class);
            }

            Future<?> one = forwards.starts(() -> renewAgainAndAgain(store, ids));
            Future<?> other = backwards.starts(() -> renewAgainAndAgain(store, ids.reversed()));

            Actor.result(one);
            Actor.result(other);
            assertThat(store.release(ids.reversed())).hasSize(ids.size());
        }
    }

    private static void renewAgainAndAgain(JdbcLeases store, List<LeaseId> ids) throws StoreException {
        for (int i = 1; i <= 20; i++) {
            Set<LeaseId> renewed = store.renew(ids, LEASE.plusSeconds(i));
            assertThat(renewed).hasSize(ids.size());
        }
    }
}
