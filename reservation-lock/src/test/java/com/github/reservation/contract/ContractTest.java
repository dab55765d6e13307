// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.lock.ManagerProbe;
import com.github.reservation.store.SignallingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/**
 * What all parts of the contract start from: a fresh backend with two nodes, and actors that are ended afterwards. What needs
 * a store that renews leases is tagged {@code renewal}.
 */
public abstract class ContractTest {

    protected static final String DOMAIN = "test-domain";
    protected static final String ID = "42";
    protected static final Duration LEASE = Duration.ofSeconds(2);

    /** After this time a lease has ended, though a store may end it a little late. */
    protected static final Duration PAST_THE_LEASE = LEASE.plusMillis(500);

    protected TestBackend backend;
    protected ReservationManager manager;
    protected ReservationManager otherNode;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    protected abstract TestBackend createBackend();

    @BeforeEach
    final void openBackend(TestInfo test) {
        backend = createBackend();
        assumeTrue(backend.canRenew() || !test.getTags().contains("renewal"), "The backend cannot renew a lease");
        manager = node(LEASE);
        otherNode = node(LEASE);
    }

    @AfterEach
    final void closeEverything() throws Exception {
        Thread.interrupted();
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
        if (backend != null) {
            backend.close();
        }
    }

    protected final ReservationManager node(Duration leaseTime) {
        return closeLater(backend.node(DOMAIN, leaseTime));
    }

    protected final ReservationManager nodeOn(ScriptedStore store) {
        return closeLater(backend.node(DOMAIN, LEASE, store));
    }

    protected final Actor actor(String name) {
        return closeLater(new Actor(name));
    }

    protected final <T extends AutoCloseable> T closeLater(T closeable) {
        toClose.add(closeable);
        return closeable;
    }

    /** Waits until that many threads of the manager wait for the reservation. */
    protected final void awaitWaiters(ReservationManager manager, Reservation reservation, int count)
            throws InterruptedException {
        ManagerProbe probe = new ManagerProbe(manager);
        awaitAtRest(count + " waiters", () -> probe.waiters(reservation.getReservationKey()) == count);
    }

    /** Waits for an effect that must come without time passing, where a test moves time by hand. */
    protected static void awaitAtRest(String what, BooleanSupplier condition) throws InterruptedException {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - giveUp > 0) {
                throw new AssertionError("Did not happen: " + what);
            }
            Thread.sleep(1);
        }
    }

    /**
     * Waits until a key went from node to node. A store that signals needs no time for it: if time passed, a thread that runs
     * late would miss its turn.
     */
    protected final void awaitHandover(String what, BooleanSupplier condition) throws InterruptedException {
        if (backend.isInManualTime() && backend.store() instanceof SignallingStore) {
            awaitAtRest(what, condition);
        } else {
            backend.await(what, condition);
        }
    }

    /** Asserts that the first node keeps nothing: no hold, no waiter, no pending release. */
    protected final void assertNothingLeft() {
        assertThat(new ManagerProbe(manager).isEmpty()).isTrue();
    }

    /** Waits until the manager keeps nothing: no hold, no waiter, no pending release. */
    protected final void awaitNothingLeft(ReservationManager manager) throws InterruptedException {
        ManagerProbe probe = new ManagerProbe(manager);
        backend.await("nothing left, but there is " + probe, probe::isEmpty);
    }
}
