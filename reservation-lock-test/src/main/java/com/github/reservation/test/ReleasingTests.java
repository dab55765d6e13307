// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a lease ends before its time: by its holder, or by force. */
abstract class ReleasingTests extends StoreTests {

    private static final int MANY = 60;

    private static Set<LeaseId> release(LeaseStore store, Collection<LeaseId> leases) throws StoreException {
        Set<LeaseId> released = new HashSet<>();
        for (List<LeaseId> part : parts(store, leases)) {
            released.addAll(store.release(part));
        }
        return released;
    }

    @Test
    void aReleaseEndsTheLease() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(store.release(List.of(lease))).containsExactly(lease);

        assertFree(otherNode, key);
    }

    @Test
    void aReleaseThatArrivesTwiceEndsNothing() throws Exception {
        LeaseId lease = acquired(store, key);
        store.release(List.of(lease));

        assertThat(store.release(List.of(lease))).isEmpty();
    }

    @Test
    void anotherNodeCanReleaseTheLease() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(otherNode.release(List.of(lease))).containsExactly(lease);

        assertFree(store, key);
    }

    @Test
    void aStaleHolderDoesNotReleaseTheLeaseOfTheNext() throws Exception {
        LeaseId stale = acquired(store, key);
        store.release(List.of(stale));
        LeaseId next = acquired(otherNode, key);

        assertThat(store.release(List.of(stale))).isEmpty();

        assertHeldBy(store, next);
    }

    @Test
    void aHolderWhoseLeaseHasEndedDoesNotReleaseTheLeaseOfTheNext() throws Exception {
        LeaseId stale = ended(store, key);
        LeaseId next = newLease(key);
        await("the key is granted", () -> isGranted(otherNode, next));

        assertThat(store.release(List.of(stale))).isEmpty();

        assertHeldBy(store, next);
    }

    @Test
    void aLeaseThatHasEndedIsNotReleased() throws Exception {
        LeaseId lease = ended(store, key);

        assertThat(store.release(List.of(lease))).isEmpty();
    }

    @Test
    void aLeaseThatNeverWasIsNotReleased() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(store.release(List.of(newLease(key)))).isEmpty();
        assertThat(store.release(List.of(new LeaseId(newKey(), lease.holder())))).isEmpty();

        assertHeldBy(store, lease);
    }

    @Test
    void ofManyLeasesHalfAreReleased_andTheOthersStay() throws Exception {
        List<LeaseId> leaving = new ArrayList<>();
        List<LeaseId> staying = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            (i % 2 == 0 ? leaving : staying).add(acquired(store, key + i));
        }

        assertThat(release(store, leaving)).containsExactlyInAnyOrderElementsOf(leaving);

        for (LeaseId lease : leaving) {
            assertFree(otherNode, lease.key());
        }
        for (LeaseId lease : staying) {
            assertHeldBy(otherNode, lease);
        }
    }

    @Test
    void ofManyLeasesOnlyThoseThatExistedAreReleased() throws Exception {
        List<LeaseId> all = new ArrayList<>();
        Set<LeaseId> existing = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            LeaseId lease = acquired(store, key + i);
            if (i % 3 == 0) {
                store.release(List.of(lease));
                acquired(otherNode, lease.key());
            } else {
                existing.add(lease);
            }
            all.add(lease);
        }

        assertThat(release(store, all)).isEqualTo(existing);

        assertThat(store.list(key)).as("the leases of the next holders").hasSize(MANY - existing.size());
    }

    @Test
    void aLeaseThatIsNamedTwiceIsReleased_andNoLeaseIsNoError() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(release(store, List.of(lease, lease))).containsExactly(lease);
        assertThat(store.release(List.of())).isEmpty();
    }

    @Test
    void aForcedReleaseEndsTheLeaseOfAnyHolder_andNamesIt() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(otherNode.forceRelease(key)).hasValue(lease);

        assertFree(store, key);
        acquired(otherNode, key);
    }

    @Test
    void aForcedReleaseOfAFreeKeyEndsNothing() throws Exception {
        assertThat(store.forceRelease(key)).isEmpty();
        store.release(List.of(acquired(store, key)));
        assertThat(store.forceRelease(key)).isEmpty();
    }

    @Test
    void aForcedReleaseOfALeaseThatHasEndedEndsNothing() throws Exception {
        ended(store, key);

        assertThat(store.forceRelease(key)).isEmpty();
    }

    @Test
    void aHolderThatWasForcedOutDoesNotReleaseTheLeaseOfTheNext() throws Exception {
        LeaseId stale = acquired(store, key);
        otherNode.forceRelease(key);
        LeaseId next = acquired(otherNode, key);

        assertThat(store.release(List.of(stale))).isEmpty();

        assertHeldBy(store, next);
    }
}
