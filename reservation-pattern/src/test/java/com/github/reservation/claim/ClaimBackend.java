// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.Ticker;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.internal.claim.ClaimMeters;
import com.github.reservation.internal.claim.StoreClaims;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A store of claims for the contract to run on, and its time. A new one for each test.
 *
 * @param time whose time it lives in, closed with it
 * @param newStore opens a store on the same claims as another process does: on a database, with a pool of its own
 * @param dataSource where callers can have transactions of their own; empty if there are none
 * @param rounds how often a race is run: less where a round takes long. {@code -Dclaims.rounds=1000} runs as many everywhere
 */
public record ClaimBackend(
        TestBackend time,
        ClaimStore store,
        Supplier<ClaimStore> newStore,
        Optional<DataSource> dataSource,
        int rounds)
        implements AutoCloseable {

    public ClaimBackend {
        rounds = Integer.getInteger("claims.rounds", rounds);
    }

    /** Makes claims as one node of a cluster. Retries wait in real time. */
    static Claims node(ClaimStore store) {
        return StoreClaims.open(store, Ticker.system(), Map.of(), ClaimMeters.NONE);
    }

    @Override
    public void close() {
        time.close();
    }
}
