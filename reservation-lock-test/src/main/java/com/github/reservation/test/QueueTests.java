// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of a queue start from: a node that holds, and two that wait. */
abstract class QueueTests extends StoreTests {

    /** No grace is shorter. A test that has taken longer may fail for that reason alone. */
    private static final Duration SHORTEST_GRACE = Duration.ofMillis(80);

    private static final int ATTEMPTS = 20;

    final String holder = newNode();
    final String first = newNode();
    final String second = newNode();
    QueueingStore queue;
    QueueingStore otherQueue;

    @BeforeEach
    final void mustHaveAQueue() throws StoreException {
        queue = able(QueueingStore.class, store);
        otherQueue = able(QueueingStore.class, otherNode);
        store.find(key); // Some stores do not know before their first call.
        otherNode.find(key);
        assumeTrue(queue.hasQueue() && otherQueue.hasQueue(), "The store has no queue");
    }

    /** A test on the given key. */
    @FunctionalInterface
    interface Scenario {
        void play(String key) throws Exception;
    }

    /** Plays a scenario that must not take longer than a grace: again, with another key, if the machine was too slow for that. */
    static void play(Scenario scenario) throws Exception {
        for (int i = 1;; i++) {
            long start = System.nanoTime();
            try {
                scenario.play(newKey());
                return;
            } catch (AssertionError e) {
                if (i == ATTEMPTS || System.nanoTime() - start < SHORTEST_GRACE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    /** Lets a node wait for a key that it must not get. */
    static void waits(LeaseStore store, String key, String node) throws StoreException {
        refused(store, newLease(key), node);
    }

    /** Acquires the key for a node that waits and whose turn it must be. */
    static LeaseId takes(LeaseStore store, String key, String node) throws StoreException {
        LeaseId lease = newLease(key);
        assertThat(ask(store, lease, node)).as("the answer to the node whose turn it is").isInstanceOf(Granted.class);
        return lease;
    }

    /** Asserts that a node that has never waited does not get the key. */
    static void assertReserved(LeaseStore store, String key) throws StoreException {
        Acquisition answer = ask(store, newLease(key), LONG);
        assertThat(answer).as("the answer to a node that has not waited").isInstanceOf(Acquisition.Refused.class);
    }

    static AcquireRequest request(String key, String node) {
        return new AcquireRequest(newLease(key), LONG, node, true, false);
    }
}
