// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.ShorteningStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Less time than was asked for. */
abstract class ShorteningTests extends StoreTests {

    private ShorteningStore shortening;

    @BeforeEach
    final void mustBeAbleToShorten() {
        shortening = able(ShorteningStore.class, store);
    }

    @Test
    void aGrantIsNotLongerThanWasAskedFor() throws Exception {
        LeaseId lease = acquired(store, key, LONG);

        Duration granted = shortening.granted(lease, LONG);

        assertThat(granted).isPositive().isLessThanOrEqualTo(LONG);
        assertThat(store.find(key).orElseThrow().remaining()).isLessThan(granted.plus(SLACK));
    }

    @Test
    void aRenewalIsNotLongerThanWasAskedFor() throws Exception {
        assumeFalse(store instanceof FixedLeaseStore, "The store is a FixedLeaseStore");
        LeaseId lease = acquired(store, key, LONG);

        store.renew(List.of(lease), LONG);

        Duration granted = shortening.granted(lease, LONG);
        assertThat(granted).isPositive().isLessThanOrEqualTo(LONG);
        assertThat(store.find(key).orElseThrow().remaining()).isLessThan(granted.plus(SLACK));
    }

    @Test
    void theLeaseRunsForAllOfTheTimeThatWasGranted() throws Exception {
        LeaseId lease = acquired(store, key, LONG);
        Duration granted = shortening.granted(lease, LONG);

        assertThat(store.find(key).orElseThrow().remaining()).isGreaterThan(granted.dividedBy(2));
    }
}
