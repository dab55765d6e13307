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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many leases are renewed in one statement with a list of them, on MariaDB. */
@Needs(Backend.MARIADB)
@SideBySide
class RenewalListsTest {

    private static final Duration LEASE = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = Databases.MARIADB.open(directory);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** A driver can count the rows that a statement found, or only those that it changed. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mariadb:", "jdbc:mysql:"})
    void leasesThatRunLongerThanAskedForAreRenewed_whateverTheDriverCounts(String driver) {
        String url = database.url().replace("jdbc:mariadb:", driver) + "?useAffectedRows=true";
        try (TestDatabase changedOnly = new TestDatabase(Databases.MARIADB, url, "root", "")) {
            LockProvider provider = changedOnly.manager(changedOnly.pool(1), LEASE).lockProvider();
            List<LockLease> leases = acquire(provider);

            assertThat(provider.renew(leases, LEASE.dividedBy(2)))
                    .extracting(LockLease::name)
                    .containsExactly("a", "b", "c");
        }
    }

    /** The renewal has locked rows a and b, and waits for row c. The other transaction has row c, and then wants row a. */
    @Test
    void aRenewalThatEndsByADeadlockIsSentAgain_andNothingIsLost() throws Exception {
        RecordingDataSource recorded = new RecordingDataSource(database.pool(1));
        LockProvider provider = database.manager(recorded.dataSource(), LEASE).lockProvider();
        List<LockLease> leases = acquire(provider);
        recorded.clear();

        try (Actor renewing = new Actor("renewing"); Connection other = database.connect()) {
            other.setAutoCommit(false);
            for (int i = 0; i < 20; i++) { // Of two transactions InnoDB rolls back the one that has made fewer changes.
                change(other, "c");
            }
            Future<List<LockLease>> renewed = renewing.starts(() -> provider.renew(leases, LEASE.multipliedBy(2)));
            await().until(this::isWaitingForARow);

            change(other, "a");
            other.commit();

            assertThat(Actor.result(renewed)).extracting(LockLease::name).containsExactly("a", "b", "c");
            assertThat(recorded.executions()).as("sent again").hasSize(2);
        }
    }

    private static List<LockLease> acquire(LockProvider provider) {
        return Stream.of("a", "b", "c")
                .map(name -> Objects.requireNonNull(provider.acquireLock(name, "run-" + name, LEASE)))
                .toList();
    }

    private static void change(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE RESERVATION_LOCKS SET fence = fence + 1 WHERE reservation_key = 'orders::" + name + "'");
        }
    }

    /** Returns whether a statement in this database waits for a row. */
    private boolean isWaitingForARow() {
        return database.query("""
                SELECT COUNT(*)
                FROM information_schema.innodb_trx
                JOIN information_schema.processlist ON id = trx_mysql_thread_id
                WHERE trx_state = 'LOCK WAIT'
                  AND db = DATABASE()
                """).equals("1");
    }
}
