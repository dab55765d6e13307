// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoredLease;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A key that stays in the queue of its node, or goes from thread to thread. */
abstract class PassingTests extends QueueTests {

    @Test
    void aNodeThatReleasesAndQueuesIsBehindTheOthers() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);

            assertThat(queue.releaseAndQueue(lease, holder, false)).isTrue();

            waits(store, key, holder);
            LeaseId next = takes(otherNode, key, first);
            otherNode.release(List.of(next));
            assertReserved(otherNode, key);
            takes(store, key, holder);
        });
    }

    @Test
    void aNodeThatReleasesAndQueuesAloneFreesTheKey() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(queue.releaseAndQueue(lease, holder, false)).isTrue();

        acquired(otherNode, key);
    }

    @Test
    void aLostLeaseIsNotReleasedAndQueued() throws Exception {
        LeaseId stale = acquired(store, key);
        store.release(List.of(stale));
        LeaseId next = acquired(otherNode, key);

        assertThat(queue.releaseAndQueue(stale, holder, false)).isFalse();

        assertHeldBy(store, next);
        otherNode.release(List.of(next));
        acquired(otherNode, key);
    }

    @Test
    void aPassEndsTheLeaseAndGrantsTheNextOne() throws Exception {
        LeaseId lease = acquired(store, key);
        Optional<StoredLease> before = store.find(key);
        AcquireRequest next = request(key, holder);

        Optional<Granted> granted = queue.pass(lease, next, false);

        assertThat(granted).isPresent();
        assertHeldBy(otherNode, next.lease());
        StoredLease after = otherNode.find(key).orElseThrow();
        assertThat(after.fence()).isEqualTo(granted.orElseThrow().fence());
        before.orElseThrow().fence().ifPresent(
                fence -> assertThat(after.fence().orElseThrow()).isGreaterThan(fence));
    }

    @Test
    void whoPassedTheKeyOnHasNoLeaseAnyMore() throws Exception {
        LeaseId lease = acquired(store, key);
        AcquireRequest next = request(key, holder);
        queue.pass(lease, next, false);

        assertThat(store.release(List.of(lease))).isEmpty();
        assertThat(queue.pass(lease, request(key, holder), true)).as("passed on a second time").isEmpty();

        assertHeldBy(otherNode, next.lease());
    }

    @Test
    void aPassIsRefusedWhileAnotherNodeWaits_andNothingChanges() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);

            assertThat(queue.pass(lease, request(key, holder), false)).isEmpty();

            assertHeldBy(otherNode, lease);
            store.release(List.of(lease));
            assertReserved(store, key);
            takes(otherNode, key, first);
        });
    }

    @Test
    void aPassThatMayStayGrantsTheKeyOrChangesNothing() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(otherNode, key, first);
        AcquireRequest next = request(key, holder);

        boolean passed = queue.pass(lease, next, true).isPresent();

        LeaseId held = passed ? next.lease() : lease;
        assertHeldBy(otherNode, held);
        store.release(List.of(held));
        takes(otherNode, key, first);
    }

    @Test
    void theNodeLeavesTheQueueWhenTheKeyIsPassedOn() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(store, key, holder);
        AcquireRequest next = request(key, holder);

        assertThat(queue.pass(lease, next, false)).as("passed on although only the own node waits").isPresent();

        store.release(List.of(next.lease()));
        acquired(otherNode, key);
    }

    @Test
    void aLostLeaseIsNotPassedOn() throws Exception {
        LeaseId stale = acquired(store, key);
        store.release(List.of(stale));
        assertThat(queue.pass(stale, request(key, holder), true)).isEmpty();
        assertFree(store, key);

        LeaseId next = acquired(otherNode, key);
        assertThat(queue.pass(stale, request(key, holder), true)).isEmpty();
        assertHeldBy(store, next);
    }

    @Test
    void aLeaseThatHasEndedIsNotPassedOn() throws Exception {
        LeaseId stale = ended(store, key);

        assertThat(queue.pass(stale, request(key, holder), true)).isEmpty();

        assertFree(store, key);
    }
}
