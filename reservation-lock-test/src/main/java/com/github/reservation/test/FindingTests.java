// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be seen of leases, on every node. */
abstract class FindingTests extends StoreTests {

    private List<LeaseId> listed(String prefix) throws StoreException {
        return otherNode.list(prefix).stream().map(StoredLease::id).toList();
    }

    @Test
    void findShowsTheLease() throws Exception {
        LeaseId lease = acquired(store, key);
        Duration promised = promised(store, lease, LONG);

        StoredLease found = otherNode.find(key).orElseThrow();

        assertThat(found.id()).isEqualTo(lease);
        assertThat(found.remaining()).isGreaterThan(promised.dividedBy(2)).isLessThan(promised.plus(SLACK));
        assertThat(found.acquiredAt()).isNotNull();
    }

    @Test
    void findShowsNothingOfAFreeKey() throws Exception {
        assertFree(store, key);
        store.release(List.of(acquired(store, key)));
        assertFree(store, key);
    }

    @Test
    void findShowsNoLeaseThatHasEnded() throws Exception {
        ended(store, key);

        assertFree(store, key);
    }

    @Test
    void findSeesAtOnceWhatAnotherNodeHasChanged() throws Exception {
        for (int i = 0; i < 10; i++) {
            LeaseId lease = acquired(store, key);
            assertHeldBy(otherNode, lease);
            otherNode.release(List.of(lease));
            assertFree(store, key);
        }
    }

    @Test
    void listShowsTheLeasesOfThePrefix_andNoOthers() throws Exception {
        List<LeaseId> wanted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            wanted.add(acquired(store, key + "::" + i));
            acquired(store, key + "-" + i);
        }
        store.release(List.of(acquired(store, key + "::5")));

        assertThat(listed(key + "::")).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(listed(key)).hasSize(10);
        assertThat(listed(newKey())).isEmpty();
    }

    @Test
    void listTakesWildcardsLiterally() throws Exception {
        acquired(store, key + "abc");
        for (String wildcard : List.of("%", "_", "*", "?", ".*", "!", "\\", "[a]", "!%", "\\%")) {
            LeaseId lease = acquired(store, key + wildcard + "c");

            assertThat(listed(key + wildcard + "c")).as("the keys that start with " + wildcard).containsExactly(lease);

            store.release(List.of(lease));
        }
        assertThat(listed(key + "_bc")).isEmpty();
        assertThat(listed(key + "%c")).isEmpty();
    }

    @Test
    void listDiffersByCase() throws Exception {
        LeaseId lease = acquired(store, key + "a");
        acquired(store, key + "A");

        assertThat(listed(key + "a")).containsExactly(lease);
    }

    @Test
    void listShowsNoLeaseThatHasEnded() throws Exception {
        LeaseId lease = acquired(store, key + 1);
        ended(store, key + 2);

        assertThat(listed(key)).containsExactly(lease);
    }

    @Test
    void listShowsTheSameAsFind() throws Exception {
        acquired(store, key);

        StoredLease found = store.find(key).orElseThrow();

        assertThat(otherNode.list(key)).singleElement().satisfies(listed -> {
            assertThat(listed.id()).isEqualTo(found.id());
            assertThat(listed.fence()).isEqualTo(found.fence());
            assertThat(listed.remaining()).isPositive().isLessThan(LONG.plus(SLACK));
        });
    }
}
