// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.SignallingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hints. One may get lost, but not all of them. */
abstract class SignallingTests extends StoreTests {

    private final List<Registration> subscriptions = new ArrayList<>();

    /** A node that notes what it hears. Of losses only those of its key: a store may send all of them to everybody. */
    private static final class Ear implements SignallingStore.Listener {

        private final String node = newNode();
        private final Set<String> free = ConcurrentHashMap.newKeySet();
        private final String key;
        private final Map<LeaseId, LossReason> lost = new ConcurrentHashMap<>();

        Ear(String key) {
            this.key = key;
        }

        @Override
        public String node() {
            return node;
        }

        @Override
        public void free(String key) {
            free.add(key);
        }

        @Override
        public void lost(Set<LeaseId> leases, LossReason reason) {
            leases.stream().filter(lease -> lease.key().equals(key)).forEach(lease -> lost.put(lease, reason));
        }
    }

    @BeforeEach
    final void mustSignal() {
        able(SignallingStore.class, store);
    }

    @AfterEach
    final void closeSubscriptions() {
        subscriptions.forEach(Registration::close);
    }

    private Registration subscribe(Object store, Ear ear) {
        Registration subscription = able(SignallingStore.class, store).subscribe(ear);
        subscriptions.add(subscription);
        return subscription;
    }

    /** Waits until a signal comes that may get lost; asks for another one now and then. */
    private void awaitSignal(String what, Condition provoke, Condition heard) throws Exception {
        await(what, () -> {
            provoke.isMet();
            long start = System.nanoTime();
            while (!heard.isMet() && System.nanoTime() - start < contract().patience().toNanos() / 10) {
                contract().passTime(Duration.ofMillis(5));
            }
            return heard.isMet();
        });
    }

    @Test
    void theFirstNodeInTheQueueIsToldThatTheKeyIsFree() throws Exception {
        able(QueueingStore.class, otherNode);
        Ear ear = new Ear(key);
        subscribe(otherNode, ear);

        awaitSignal("a node is told that it is its turn", () -> releaseWhileWaits(ear),
                () -> ear.free.stream().anyMatch(told -> told.startsWith(key)));
    }

    /** Acquires another key, lets the node wait for it, and releases it. */
    private boolean releaseWhileWaits(Ear ear) throws Exception {
        LeaseId lease = acquired(store, key + newNode());
        refused(otherNode, newLease(lease.key()), ear.node);
        return store.release(List.of(lease)).contains(lease);
    }

    @Test
    void aNodeWhoseSubscriptionIsClosedIsNotTold() throws Exception {
        able(QueueingStore.class, otherNode);
        Ear closed = new Ear(key);
        Registration subscription = subscribe(otherNode, closed);
        subscription.close();
        subscription.close();
        Ear open = new Ear(key);
        subscribe(otherNode, open);

        LeaseId lease = acquired(store, key);
        refused(otherNode, newLease(key), closed.node);
        store.release(List.of(lease));
        awaitSignal("another node is told", () -> releaseWhileWaits(open), () -> !open.free.isEmpty());

        assertThat(closed.free).isEmpty();
    }

    @Test
    void aForcedReleaseIsReportedAsSuch_ifItIsReported() throws Exception {
        Ear ear = new Ear(key);
        subscribe(store, ear);
        LeaseId lease = acquired(store, key);

        otherNode.forceRelease(key);

        long start = System.nanoTime();
        while (ear.lost.isEmpty() && System.nanoTime() - start < contract().patience().toNanos() / 40) {
            contract().passTime(Duration.ofMillis(5));
        }
        assumeFalse(ear.lost.isEmpty(), "The store does not report forced releases");
        assertThat(ear.lost).containsExactly(Map.entry(lease, LossReason.FORCED));
    }
}
