// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.FixedLeaseStore;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Numbers that grow with each grant of a key. A store whose first grant has no fence is expected to have none. */
abstract class FencingTests extends StoreTests {

    private LeaseId lease = newLease(key);
    private OptionalLong last = OptionalLong.empty();

    /** Acquires the key for the next holder, and returns its fence. */
    private long fence(LeaseStore node, Duration leaseTime) throws StoreException {
        lease = newLease(key);
        assertThat(ask(node, lease, leaseTime)).isInstanceOfSatisfying(Granted.class,
                granted -> last = granted.fence());
        assumeTrue(last.isPresent(), "The store has no fences");
        return last.orElseThrow();
    }

    private boolean isFenced(Granted granted) {
        last = granted.fence();
        return last.isPresent();
    }

    @Test
    void theFenceGrowsAcrossARelease() throws Exception {
        long first = fence(store, LONG);
        store.release(List.of(lease));

        long second = fence(otherNode, LONG);
        store.release(List.of(lease));

        assertThat(second).isGreaterThan(first);
        assertThat(fence(store, LONG)).isGreaterThan(second);
    }

    @Test
    void theFenceGrowsAcrossAnExpiry() throws Exception {
        long first = fence(store, contract().shortLease());
        passShortLease();
        await("the key is free",
                () -> ask(otherNode, newLease(key), LONG) instanceof Granted granted && isFenced(granted));

        assertThat(last.orElseThrow()).isGreaterThan(first);
    }

    @Test
    void theFenceGrowsAcrossAForcedRelease() throws Exception {
        long first = fence(store, LONG);
        otherNode.forceRelease(key);

        assertThat(fence(store, LONG)).isGreaterThan(first);
    }

    @Test
    void theFenceIsThatOfTheGrant_alsoAfterARenewal() throws Exception {
        lease = newLease(key);
        OptionalLong granted = ((Granted) ask(store, lease, LONG)).fence();

        if (!(store instanceof FixedLeaseStore)) {
            store.renew(List.of(lease), LONG.plusMinutes(1));
        }

        assertThat(otherNode.find(key).orElseThrow().fence()).isEqualTo(granted);
        assertThat(otherNode.list(key)).singleElement().satisfies(
                found -> assertThat(found.fence()).isEqualTo(granted));
    }

    @Test
    void aRefusedRequestDoesNotChangeTheFence() throws Exception {
        long fence = fence(store, LONG);

        ask(otherNode, newLease(key), LONG);

        assertThat(store.find(key).orElseThrow().fence()).hasValue(fence);
    }

    @Test
    void eitherEveryGrantHasAFenceOrNone() throws Exception {
        boolean fenced = ((Granted) ask(store, newLease(key), LONG)).fence().isPresent();

        for (int i = 0; i < 3; i++) {
            store.forceRelease(key);
            assertThat(((Granted) ask(i % 2 == 0 ? store : otherNode, newLease(key), LONG)).fence().isPresent())
                    .isEqualTo(fenced);
            assertThat(store.find(key).orElseThrow().fence().isPresent()).isEqualTo(fenced);
        }
    }
}
