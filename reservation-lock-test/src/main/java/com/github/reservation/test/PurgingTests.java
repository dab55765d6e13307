// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.StoreException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a purge must not forget. */
abstract class PurgingTests extends StoreTests {

    private void purge() throws StoreException {
        PurgingStore purging = able(PurgingStore.class, store);
        while (purging.purge()) {
            // There may be more.
        }
    }

    @Test
    void noLeaseIsForgotten() throws Exception {
        LeaseId lease = acquired(store, key);

        purge();

        assertHeldBy(otherNode, lease);
        assertThat(isGranted(otherNode, newLease(key))).isFalse();
        assertThat(store.release(List.of(lease))).containsExactly(lease);
    }

    @Test
    void theFenceGrowsAcrossAPurge() throws Exception {
        LeaseId lease = newLease(key);
        OptionalLong before = ((Granted) ask(store, lease, LONG)).fence();
        store.release(List.of(lease));

        purge();

        OptionalLong after = ((Granted) ask(store, newLease(key), LONG)).fence();
        before.ifPresent(fence -> assertThat(after.orElseThrow()).isGreaterThan(fence));
    }

    @Test
    void noWaiterIsForgotten() throws Exception {
        able(QueueingStore.class, store);
        LeaseId lease = acquired(store, key);
        String node = newNode();
        boolean queued = refused(otherNode, newLease(key), node).queued();

        purge();

        assertThat(refused(otherNode, newLease(key), node).queued()).isEqualTo(queued);
        assertHeldBy(store, lease);
    }

    @Test
    void theScopeStaysTheSame() {
        PurgingStore purging = able(PurgingStore.class, store);

        assertThat(purging.purgeScope()).isEqualTo(purging.purgeScope());
    }
}
