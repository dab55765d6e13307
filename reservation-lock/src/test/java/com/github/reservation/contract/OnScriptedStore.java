// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;

/** What the parts of the contract about failures start from: a node on a store that fails when a script says so. */
public abstract class OnScriptedStore extends ContractTest {

    protected static final Duration LONG_LEASE = Duration.ofMinutes(10);

    protected ScriptedStore store;
    protected ReservationManager node;
    protected Reservation reservation;

    @BeforeEach
    void putTheScriptInFront() {
        store = new ScriptedStore(backend.store());
        node = nodeOn(store);
        reservation = node.getReservation(ID);
    }
}
