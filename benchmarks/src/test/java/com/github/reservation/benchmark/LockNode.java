// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A node, on a store where another node holds a key. */
@State(Scope.Benchmark)
public class LockNode {

    @Param({"memory", "h2", "postgresql", "mariadb", "hazelcast"})
    public String backend;

    ReservationManager manager;
    Reservation taken;
    private OpenStore store;
    private ReservationManager other;

    @Setup(Level.Trial)
    public void open() {
        store = OpenStore.of(backend);
        manager = store.newNode();
        other = store.newNode();
        other.getReservation("taken").lock();
        taken = manager.getReservation("taken");
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        manager.close();
        other.close();
        store.close();
    }
}
