// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.contract.Actor;
import com.github.reservation.contract.ContractTest;
import com.github.reservation.contract.ScriptedStore;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.contract.TestBackend;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A node does not keep its place in the queue of the store when no thread of it waits any more. */
class AbandonedPlaceTest extends ContractTest {

    @Override
    protected TestBackend createBackend() {
        return new InMemoryBackend();
    }

    @Test
    void theLastWaiterGivesUpThePlaceThatAReleaseHasJustTaken() throws Exception {
        ScriptedStore store = new ScriptedStore(backend.store());
        Reservation here = nodeOn(store).getReservation(ID);
        Actor holder = actor("holder");
        Actor waiter = actor("waiter");
        Reservation there = otherNode.getReservation(ID);
        there.lock();
        Future<?> holding = holder.starts(() -> here.lock());
        awaitAtRest("the holder waits", holder::isQueued);
        Future<?> waiting = waiter.starts(here::lockInterruptibly);
        awaitAtRest("the waiter waits", waiter::isQueued);
        there.unlock();
        Actor.result(holding);
        Actor other = actor("other node");
        Future<?> otherWaits = other.starts(() -> there.lock());
        awaitAtRest("the other node waits", other::isQueued);
        store.whenAskedForSignals(() -> { // The release has put this node in line, and is about to say so.
            if (Thread.currentThread() == holder.thread() && store.ended(Op.RELEASE_AND_QUEUE) > 0) {
                waiter.thread().interrupt();
                assertThat(Actor.failure(waiting)).isInstanceOf(InterruptedException.class);
            }
        });

        holder.does(here::unlock);

        Actor.result(otherWaits);
        assertThat(waiting.isDone()).isTrue();
        other.does(there::unlock);
        assertThat(node(LEASE).getReservation(ID).tryLock()).as("nobody is in line").isTrue();
    }
}
