// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Who gets a key. */
abstract class AcquiringTests extends StoreTests {

    private static final int THREADS = 8;
    private static final int RACES = 20;

    @Test
    void aFreeKeyIsGranted() throws Exception {
        LeaseId lease = newLease(key);

        assertThat(isGranted(store, lease)).isTrue();

        assertHeldBy(otherNode, lease);
    }

    @Test
    void aHeldKeyIsRefused_andTheHolderKeepsIt() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(isGranted(store, newLease(key))).isFalse();
        assertThat(isGranted(otherNode, newLease(key))).isFalse();

        assertHeldBy(store, lease);
    }

    @Test
    void aRefusalSaysWhenToAskAgain() throws Exception {
        acquired(store, key);

        Refused refused = refused(otherNode, newLease(key), newNode());

        assertThat(refused.remaining()).isPositive().isLessThan(LONG.plus(SLACK));
        refused.grantedAgo().ifPresent(ago -> assertThat(ago).isBetween(Duration.ZERO, LONG));
    }

    @Test
    void aRequestThatArrivesTwiceIsRefused_andTheFirstCounts() throws Exception {
        LeaseId lease = acquired(store, key);

        assertThat(isGranted(store, lease)).as("granted to the same holder again").isFalse();

        assertHeldBy(store, lease);
    }

    @Test
    void aRequestThatPollsGetsTheSameAnswers() throws Exception {
        LeaseId lease = acquired(store, key);
        AcquireRequest poll = new AcquireRequest(newLease(key), LONG, newNode(), true, true);

        assertThat(otherNode.acquire(poll)).isInstanceOf(Refused.class);
        assertHeldBy(otherNode, lease);

        store.release(List.of(lease));
        await("the key is granted", () -> otherNode.acquire(poll) instanceof Acquisition.Granted);
        assertHeldBy(store, poll.lease());
    }

    @Test
    void aReleasedKeyIsGranted() throws Exception {
        store.release(List.of(acquired(store, key)));

        LeaseId next = acquired(otherNode, key);

        assertHeldBy(store, next);
    }

    @Test
    void aKeyIsGrantedAfterTheEndOfItsLease_andNotBefore() throws Exception {
        long start = System.nanoTime(); // Before the lease began: its answer may come late.
        acquired(store, key, contract().shortLease());
        LeaseId next = newLease(key);
        boolean atOnce = isGranted(otherNode, next);
        boolean inTime = System.nanoTime() - start < contract().shortLease().dividedBy(2).toNanos();

        await("the key is granted", () -> atOnce || isGranted(otherNode, next));

        assertThat(atOnce && inTime).as("granted while the lease ran").isFalse();
        assertHeldBy(store, next);
    }

    @Test
    void aLeaseDoesNotEndEarly() throws Exception {
        LeaseId lease = acquired(store, key, contract().shortLease().multipliedBy(20));

        passShortLease();

        assertThat(isGranted(otherNode, newLease(key))).isFalse();
        assertHeldBy(otherNode, lease);
    }

    @Test
    void theLongestLeaseIsGranted_andHeld() throws Exception {
        LeaseId lease = acquired(store, key, Duration.ofMillis(Long.MAX_VALUE));

        assertThat(isGranted(otherNode, newLease(key))).isFalse();
        assertHeldBy(otherNode, lease);
        assertThat(store.release(List.of(lease))).containsExactly(lease);
    }

    @Test
    void theLeasesOfSeveralKeysAreIndependent() throws Exception {
        String otherKey = newKey();
        LeaseId lease = acquired(store, key);
        LeaseId other = acquired(otherNode, otherKey);

        store.release(List.of(lease));

        assertFree(store, key);
        assertHeldBy(store, other);
    }

    @Test
    void ofRacingRequestsForANewKeyExactlyOneIsGranted() throws Exception {
        race(AcquiringTests::newKey, false);
    }

    @Test
    void ofRacingRequestsForAReleasedKeyExactlyOneIsGranted() throws Exception {
        race(() -> key, false);
    }

    @Test
    void ofRacingRequestsForAKeyWhoseLeaseHasEndedExactlyOneIsGranted() throws Exception {
        ended(store, key);
        race(() -> key, true);
    }

    private interface Keys {
        String next();
    }

    private void race(Keys keys, boolean once) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < (once ? 1 : RACES); i++) {
                String raced = keys.next();
                List<Callable<List<LeaseId>>> racers = new ArrayList<>();
                for (int j = 0; j < THREADS; j++) {
                    LeaseStore node = j % 2 == 0 ? store : otherNode;
                    racers.add(() -> {
                        LeaseId lease = newLease(raced);
                        start.await();
                        return Contention.again(() -> isGranted(node, lease)) ? List.of(lease) : List.of();
                    });
                }
                List<LeaseId> winners = new ArrayList<>();
                for (Future<List<LeaseId>> racer : threads.invokeAll(racers)) {
                    winners.addAll(racer.get());
                }
                assertThat(winners).as("the holders after race " + i).hasSize(1);
                assertHeldBy(store, winners.getFirst());
                store.release(winners);
            }
        }
    }
}
