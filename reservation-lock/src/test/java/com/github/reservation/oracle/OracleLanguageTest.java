// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationManager;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A session of Oracle can compare by the rules of a language. Here the columns do, which is the nearest that H2 has; unlike
 * Oracle's, its primary key then does so too.
 */
public class OracleLanguageTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final LeaseId UPPER = new LeaseId("orders::A", "holder");
    private static final LeaseId LOWER = new LeaseId("orders::a", "holder");
    private static final LeaseId OTHER = new LeaseId("orders::A", "HOLDER");

    private final OracleModeDatabase database = new OracleModeDatabase();
    private final JdbcLeaseStore leases = OracleModeDatabase.leases(database.dataSource());

    @BeforeEach
    void install() throws StoreException {
        database.execute("DROP TABLE RESERVATION_LOCKS");
        database.execute(Ddl.of("oracle").replace("VARCHAR2", "VARCHAR_IGNORECASE"));
        acquire(UPPER);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void theRowOfAnotherKeyIsNotTaken() throws StoreException {
        leases.release(List.of(UPPER));

        leases.acquire(AcquireRequest.once(LOWER, LEASE, "node"));

        assertThat(leases.find("orders::A")).isEmpty();
        acquire(UPPER);
    }

    @Test
    void theLeaseOfAnotherKeyIsLeftAlone() throws StoreException {
        assertThat(leases.renew(List.of(LOWER), LEASE).renewed()).isEmpty();
        assertThat(leases.release(List.of(LOWER))).isEmpty();
        assertThat(leases.release(List.of(LOWER, new LeaseId("orders::b", "holder")))).isEmpty();
        assertThat(leases.forceRelease("orders::a")).isEmpty();

        assertThat(leases.find("orders::A")).isPresent();
    }

    @Test
    void theLeaseOfAnotherHolderIsLeftAlone() throws StoreException {
        assertThat(leases.renew(List.of(OTHER), LEASE).renewed()).isEmpty();
        assertThat(leases.release(List.of(OTHER))).isEmpty();

        assertThat(leases.find("orders::A")).isPresent();
    }

    @Test
    void onlyWhatWasAskedForIsFound() throws StoreException {
        assertThat(leases.find("orders::a")).isEmpty();
        assertThat(leases.list("orders::")).hasSize(1);
        assertThat(leases.list("ORDERS::")).isEmpty();
    }

    @Test
    void aDatabaseThatLosesCharactersIsRefused() {
        // As in a character set that has neither of the two letters.
        database.execute("DROP ALIAS UNISTR");
        database.execute("CREATE ALIAS UNISTR FOR '" + OracleLanguageTest.class.getName() + ".lossy'");
        try (ReservationManager manager = ReservationManager.oracle(database.dataSource()).domain("orders").build()) {
            assertThatThrownBy(manager.getReservation("42")::tryLock)
                    .hasMessageContaining("characters that its character set lacks");
        }
    }

    private void acquire(LeaseId lease) throws StoreException {
        assertThat(leases.acquire(AcquireRequest.once(lease, LEASE, "node"))).isInstanceOf(Granted.class);
    }

    /** For H2, in the place of {@code UNISTR}. */
    public static String lossy(String text) {
        return "?";
    }
}
