// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ScriptedStore.Op;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;

/** What the parts of the contract about passing start from: a node whose waiters are parked and seldom ask by themselves. */
public abstract class WithParkedThreads extends ContractTest {

    protected static final Duration LONG_LEASE = Duration.ofMinutes(10);

    /** So long that a waiter which is parked does not ask by itself while a test unlocks. */
    protected static final Duration SELDOM = Duration.ofSeconds(5);

    protected ScriptedStore store;
    protected ReservationManager node;
    protected Reservation reservation;

    @BeforeEach
    void putTheScriptInFront() {
        assumeTrue(backend.passesKeys(), "The backend passes no keys");
        store = new ScriptedStore(backend.store());
        node = closeLater(backend.node(DOMAIN, LEASE, store, SELDOM, SELDOM));
        reservation = node.getReservation(ID);
    }

    protected Callable<Void> locking() {
        return locking(reservation);
    }

    protected static Callable<Void> locking(Reservation wanted) {
        return () -> {
            wanted.lock();
            return null;
        };
    }

    protected <T> Future<T> parked(Actor actor, Callable<T> call) throws InterruptedException {
        return parked(store, actor, call);
    }

    /** Starts a thread that waits, and goes on when it was refused and is parked. */
    protected static <T> Future<T> parked(ScriptedStore asked, Actor actor, Callable<T> call)
            throws InterruptedException {
        CountDownLatch refused = new CountDownLatch(1);
        asked.next(Op.ACQUIRE, true, refused::countDown);
        Future<T> waiting = actor.starts(call);
        refused.await();
        awaitAtRest("it is parked", actor::isQueued);
        return waiting;
    }
}
