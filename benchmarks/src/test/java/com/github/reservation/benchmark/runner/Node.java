// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.List;

/** One node of a contender, with connections of its own. */
record Node(Keys keys, Leases leases, List<AutoCloseable> end) implements AutoCloseable {

    /** How a contender calls the lock of a key; each thread asks for its own. */
    @FunctionalInterface
    interface Keys {
        Key of(String key) throws Exception;
    }

    /** Locks a key for so long and never gives it back, as a node does that dies. */
    @FunctionalInterface
    interface Leases {
        void lockAndDie(String key, Duration lease) throws Exception;
    }

    /** Makes a node with at most so many connections, where the contender takes connections from its user. */
    @FunctionalInterface
    interface Factory {
        Node open(int connections) throws Exception;
    }

    /** Makes a node whose locks have no lease. */
    static Node withoutLeases(Keys keys, AutoCloseable... end) {
        return new Node(keys, (key, lease) -> {
            throw new IllegalStateException("A lock without a lease: " + key);
        }, List.of(end));
    }

    /** Makes a node of this library. */
    static Node of(ReservationManager manager, AutoCloseable connections) {
        return new Node(
                key -> Key.of(manager.getReservation(key)),
                (key, lease) -> manager.getReservation(key).lock(lease),
                List.of(manager, connections));
    }

    Key key(String name) throws Exception {
        return keys.of(name);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable closeable : end) {
            closeable.close();
        }
    }
}
