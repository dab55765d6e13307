// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.contract.Actor;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many leases are released while another statement has locked the row of one of them, as a renewal of many leases does. */
@Needs(Backend.POSTGRESQL)
class BatchReleaseTest {

    private static final Duration LEASE = Duration.ofHours(1);

    @TempDir
    private Path directory;

    @Test
    void aReleaseThatWaitsForOneRowHasNoOtherLocked_soItCannotDeadlock() throws Exception {
        try (TestDatabase database = Databases.POSTGRESQL.openNew(directory); Actor releases = new Actor("releases")) {
            database.install();
            JdbcLeaseStore leases = TestDatabase.leases(database.pool(1), Optional.empty());
            List<LeaseId> ids = Stream.of("a", "b", "c", "d").map(key -> new LeaseId(key, "run-" + key)).toList();
            for (LeaseId id : ids) {
                assertThat(leases.acquire(AcquireRequest.once(id, LEASE, "node"))).isInstanceOf(Granted.class);
            }
            try (Connection renewal = database.connect(); Statement statement = renewal.createStatement()) {
                renewal.setAutoCommit(false);
                statement.execute("UPDATE RESERVATION_LOCKS SET expires_at = expires_at WHERE reservation_key = 'c'");

                Future<Set<LeaseId>> released = releases.starts(() -> leases.release(ids));

                await().until(() -> database.query("""
                        SELECT COUNT(*) FROM RESERVATION_LOCKS WHERE expires_at < TIMESTAMP '2000-01-01 00:00:00'
                        """).equals("3"));
                renewal.commit();
                assertThat(Actor.result(released)).containsExactlyInAnyOrderElementsOf(ids);
            }
        }
    }
}
