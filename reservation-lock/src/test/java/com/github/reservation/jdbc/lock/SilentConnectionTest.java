// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LostReservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.lease.HeldLock;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The connection of a renewal goes silent while the statement is on its way. The server is up, and new connections work. */
@SideBySide
class SilentConnectionTest {

    private static final int LOCKS = 200;
    private static final Duration LEASE = Duration.ofSeconds(8);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
            "POSTGRESQL, defaults",
            "POSTGRESQL, recommended",
            "MARIADB, defaults",
            "MARIADB, recommended",
    })
    void noLockIsLost(Databases kind, String settings) throws Exception {
        try (TestDatabase database = kind.open(directory);
                SilencingProxy proxy = new SilencingProxy(port(database));
                TestDatabase proxied = behind(proxy, database, settings.equals("recommended"))) {
            HikariDataSource pool = proxied.pool(4);
            if (settings.equals("recommended")) {
                pool.setConnectionTimeout(3_000);
                pool.setValidationTimeout(1_000);
            }
            ReservationManager manager = proxied.manager(pool, LEASE);
            List<LostReservation> lost = new CopyOnWriteArrayList<>();
            manager.onLost(lost::add);
            List<HeldLock> locks = acquire(manager, "lock-", LOCKS);
            proxy.silenceNextLargeRequest();

            assertAllSurviveThreeLeases(locks, lost);
            assertThat(proxy.hasSilencedOne()).isTrue();
            assertAllSurviveThreeLeases(acquire(manager, "later-", 1), lost);
        }
    }

    private static List<HeldLock> acquire(ReservationManager manager, String prefix, int count)
            throws InterruptedException {
        List<HeldLock> locks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            locks.add(manager.acquire(prefix + i));
        }
        return locks;
    }

    private static void assertAllSurviveThreeLeases(List<HeldLock> locks, List<LostReservation> lost) {
        long afterFourLeases = System.currentTimeMillis() + LEASE.multipliedBy(4).toMillis();
        await("three leases pass, and all are renewed")
                .atMost(LEASE.multipliedBy(4))
                .until(() -> !lost.isEmpty()
                        || locks.stream().allMatch(lock -> lock.lease().expiresAt() > afterFourLeases));
        assertThat(lost).isEmpty();
    }

    private static int port(TestDatabase database) {
        return URI.create(database.url().substring("jdbc:".length())).getPort();
    }

    /** The settings that the pages of PostgreSQL and MariaDB recommend, or those of the drivers. */
    private static TestDatabase behind(SilencingProxy proxy, TestDatabase database, boolean recommended) {
        TestDatabase proxied =
                database.at(database.url().replace(":" + port(database) + "/", ":" + proxy.port() + "/"));
        if (!recommended) {
            return proxied;
        }
        return proxied.with(database.kind() == Databases.POSTGRESQL
                ? "connectTimeout=3&socketTimeout=10&cancelSignalTimeout=2"
                : "useServerPrepStmts=true&connectTimeout=3000&socketTimeout=10000");
    }
}
