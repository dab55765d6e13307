// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import com.github.reservation.contract.Backend;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.LockOrders;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lock that another process holds, which is stopped or killed. */
@SideBySide
@Needs(Backend.POSTGRESQL)
class LockOfAnotherProcessTest {

    private static final String DOMAIN = "processes";
    private static final Duration LEASE = Duration.ofSeconds(3);

    private JdbcBackend backend;
    private ReservationManager manager;
    private ChildJvm other;

    @BeforeEach
    void start() {
        backend = JdbcBackend.on(PostgresServer.shared(), "postgresql");
        manager = backend.manager(DOMAIN, LEASE);
        other = NodeProcess.start(backend.pool(), DOMAIN, LEASE);
        JdbcBackend.execute(backend.dataSource(), """
                DROP TABLE IF EXISTS guarded;
                CREATE TABLE guarded (token BIGINT);
                INSERT INTO guarded VALUES (0)
                """);
    }

    @AfterEach
    void stop() {
        other.close();
        manager.close();
        backend.close();
    }

    @Test
    void aProcessThatWasStoppedPastItsLeaseIsToldOnceAndHarmsNobody() throws Exception {
        long staleToken = Long.parseLong(other.does("acquire").split(" ")[0]);
        assertThat(fencedWrite(staleToken)).isTrue();
        other.freeze();

        HeldLock ours = manager.acquire(LockOrders.NAME);
        assertThat(fencedWrite(ours.fencingToken().getAsLong())).isTrue();
        other.thaw();

        assertThat(other.does("losses")).isEqualTo("1");
        assertThat(other.does("holds")).isEqualTo("false");
        assertThat(other.does("release")).isEqualTo("false");
        assertThat(other.does("losses")).isEqualTo("1");
        assertThat(fencedWrite(staleToken)).isFalse();
        assertThat(ours.isHeld()).isTrue();
        assertThat(ours.release()).isTrue();
    }

    @Test
    void theLeaseOfADeadProcessIsRenewedAndReleasedByItsThreeFields() {
        String[] fields = other.does("acquire").split(" ");
        other.kill();
        LockLease lease = new LockLease(LockOrders.NAME, fields[1], Long.parseLong(fields[2]));

        List<LockLease> renewed = manager.lockProvider().renew(List.of(lease), Duration.ofMinutes(10));

        assertThat(renewed).extracting(LockLease::executionId).containsExactly(fields[1]);
        assertThat(manager.tryAcquire(LockOrders.NAME)).isNull();
        manager.lockProvider().release(renewed);
        assertThat(manager.tryRun(LockOrders.NAME, lock -> {}).isExecuted()).isTrue();
    }

    /** Writes under a token, as a table that guards itself does: not if it has seen a greater one. */
    private boolean fencedWrite(long token) throws SQLException {
        try (Connection connection = backend.dataSource().getConnection();
                PreparedStatement update =
                        connection.prepareStatement("UPDATE guarded SET token = ? WHERE token <= ?")) {
            update.setLong(1, token);
            update.setLong(2, token);
            return update.executeUpdate() == 1;
        }
    }
}
