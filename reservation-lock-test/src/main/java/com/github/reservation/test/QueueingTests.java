// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose turn it is. */
abstract class QueueingTests extends QueueTests {

    private static final int CROWD = 40;

    @Test
    void aRefusedNodeThatWaitsIsInTheQueue_andOneThatDoesNotWaitIsNot() throws Exception {
        acquired(store, key);

        assertThat(refused(otherNode, newLease(key), first).queued()).isTrue();
        assertThat(refused(otherNode, newLease(key), first).queued()).as("asked again").isTrue();
        assertThat(otherNode.acquire(AcquireRequest.once(newLease(key), LONG, second)))
                .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.queued()).isFalse());
    }

    @Test
    void aReleasedKeyIsReservedForTheFirstNode() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);
            waits(otherNode, key, second);

            store.release(List.of(lease));

            assertReserved(store, key);
            waits(otherNode, key, second);
            takes(otherNode, key, first);
        });
    }

    @Test
    void nodesTakeTurnsInTheOrderInWhichTheyCame() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);
            waits(otherNode, key, second);
            store.release(List.of(lease));
            LeaseId next = takes(otherNode, key, first);
            waits(otherNode, key, first);

            otherNode.release(List.of(next));

            waits(otherNode, key, first);
            takes(otherNode, key, second);
        });
    }

    @Test
    void aNodeKeepsItsPlaceHoweverOftenItAsks() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);
            waits(otherNode, key, second);
            waits(otherNode, key, first);
            waits(otherNode, key, second);
            waits(otherNode, key, first);

            store.release(List.of(lease));

            waits(otherNode, key, second);
            takes(otherNode, key, first);
        });
    }

    @Test
    void aNodeThatGetsTheKeyLeavesTheQueue() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(otherNode, key, first);
        store.release(List.of(lease));
        LeaseId next = takes(otherNode, key, first);

        otherNode.release(List.of(next));

        acquired(store, key);
    }

    @Test
    void afterTheGraceAnotherNodeGetsTheKey() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(otherNode, key, first);
        store.release(List.of(lease));

        LeaseId next = newLease(key);
        await("a node that has not waited gets the key", () -> isGranted(store, next));

        assertHeldBy(otherNode, next);
    }

    @Test
    void aNodeThatLetItsTurnPassLosesItsPlace() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(otherNode, key, first);
        store.release(List.of(lease));
        LeaseId next = newLease(key);
        await("a node that has not waited gets the key", () -> isGranted(store, next));

        store.release(List.of(next));

        acquired(store, key);
    }

    @Test
    void aKeyWhoseLeaseHasEndedIsGranted_evenIfTheFirstNodeDoesNotCome() throws Exception {
        acquired(store, key, contract().shortLease().multipliedBy(2));
        ask(otherNode, newLease(key), first);
        passShortLease();
        passShortLease();

        LeaseId next = newLease(key);
        await("a node that has not waited gets the key", () -> {
            store.forceRelease(key); // The first node may have got it, on a slow machine.
            return isGranted(store, next);
        });

        assertHeldBy(otherNode, next);
    }

    @Test
    void aForcedReleaseReservesTheKeyForTheFirstNode() throws Exception {
        play(key -> {
            acquired(store, key);
            waits(otherNode, key, first);

            store.forceRelease(key);

            assertReserved(store, key);
            takes(otherNode, key, first);
        });
    }

    @Test
    void aNodeThatWithdrawsLetsTheNextHaveItsTurn() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);
            waits(otherNode, key, second);
            store.release(List.of(lease));

            otherQueue.withdraw(key, first);

            assertReserved(store, key);
            takes(otherNode, key, second);
        });
    }

    @Test
    void aNodeThatWithdrawsBeforeItsTurnLosesItsPlace() throws Exception {
        play(key -> {
            LeaseId lease = acquired(store, key);
            waits(otherNode, key, first);
            waits(otherNode, key, second);
            otherQueue.withdraw(key, first);

            store.release(List.of(lease));

            waits(otherNode, key, first);
            takes(otherNode, key, second);
        });
    }

    @Test
    void theLastNodeThatWithdrawsFreesTheKey() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(otherNode, key, first);
        store.release(List.of(lease));

        otherQueue.withdraw(key, first);

        acquired(store, key);
    }

    @Test
    void aNodeThatDoesNotWaitCanWithdraw_andNothingChanges() throws Exception {
        otherQueue.withdraw(key, first);
        LeaseId lease = acquired(store, key);

        otherQueue.withdraw(key, first);

        assertHeldBy(store, lease);
        play(key -> {
            LeaseId held = acquired(store, key);
            waits(otherNode, key, first);
            otherQueue.withdraw(key, second);
            store.release(List.of(held));
            assertReserved(store, key);
        });
    }

    @Test
    void aCrowdWaits_andItsFirstNodeGetsTheKey() throws Exception {
        LeaseId lease = acquired(store, key);
        waits(otherNode, key, first);
        for (int i = 0; i < CROWD; i++) {
            waits(i % 2 == 0 ? store : otherNode, key, newNode());
        }

        store.release(List.of(lease));

        takes(otherNode, key, first);
    }
}
