// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a manager remembers of a row can be wrong by the time it acquires the key again. */
@ParameterizedClass
@EnumSource(Databases.class)
@SideBySide
class KnownRowsTest extends OnRecordedDatabase {

    private static final String KEY = "orders::42";
    private static final LeaseId FIRST = new LeaseId(KEY, "first");
    private static final LeaseId SECOND = new LeaseId(KEY, "second");
    private static final LeaseId AGAIN = new LeaseId(KEY, "again");

    @Test
    void aKeyWhoseRowWasPurgedIsGrantedAlthoughNodesWaitedAtItsRelease() throws StoreException {
        JdbcLeaseStore here = leases();
        long fence = ((Granted) releasedWhileAnotherNodeWaits(here, leases(), List.of(FIRST)))
                .fence().orElseThrow();
        database.execute("DELETE FROM RESERVATION_LOCKS");

        Acquisition acquisition = here.acquire(request(AGAIN, 0, false));

        assertThat(acquisition).isInstanceOfSatisfying(Granted.class,
                granted -> assertThat(granted.fence().orElseThrow()).isGreaterThan(fence));
    }

    @Test
    void aKeyIsGrantedAlthoughNodesWaitedAtItsReleaseWhenTheyHaveGivenUp() throws StoreException {
        JdbcLeaseStore here = leases();
        JdbcLeaseStore there = leases();
        releasedWhileAnotherNodeWaits(here, there, List.of(FIRST));
        there.withdraw(KEY, request(SECOND, 1, true).node());

        assertThat(here.acquire(request(AGAIN, 0, false))).isInstanceOf(Granted.class);
    }

    @Test
    void aKeyThatWasReleasedTogetherWithOthersIsReservedForTheNodeThatWaits() throws StoreException {
        JdbcLeaseStore here = leases();
        JdbcLeaseStore there = leases();
        LeaseId unrelated = new LeaseId("orders::43", "first");
        assertThat(here.acquire(request(unrelated, 0, false))).isInstanceOf(Granted.class);
        releasedWhileAnotherNodeWaits(here, there, List.of(FIRST, unrelated));

        assertThat(here.acquire(request(AGAIN, 0, false))).isInstanceOf(Refused.class);
        assertThat(there.acquire(request(SECOND, 1, true))).isInstanceOf(Granted.class);
    }

    /** Has one node release the key, perhaps with others, after the other node joined its queue; returns what it was granted. */
    private static Acquisition releasedWhileAnotherNodeWaits(JdbcLeaseStore here, JdbcLeaseStore there,
            List<LeaseId> released)
            throws StoreException {
        Acquisition granted = here.acquire(request(FIRST, 0, false));
        assertThat(there.acquire(request(SECOND, 1, true))).isInstanceOf(Refused.class);
        assertThat(here.release(released)).containsExactlyInAnyOrderElementsOf(released);
        return granted;
    }

    private JdbcLeaseStore leases() {
        return TestDatabase.leases(database.pool(1), Optional.empty());
    }

    private static AcquireRequest request(LeaseId lease, int node, boolean waits) {
        return new AcquireRequest(lease, LEASE, "node-node-node-" + node, waits, false);
    }
}
