// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import com.github.reservation.torture.nemesis.FaultKind;
import com.github.reservation.torture.wire.Wire;
import java.util.List;

/** A store on servers of its own, which each worker reaches through a wire of its own. Workers are numbered from 0. */
public sealed interface Store extends AutoCloseable permits DatabaseStore, HazelcastStore {

    /** The stores, by the names that {@code -Dbackends} takes. */
    static Store start(String name, int workers) {
        return switch (name) {
            case "postgresql-sync" -> new DatabaseStore(workers, new ReplicatedPostgres(true));
            case "postgresql-async" -> new DatabaseStore(workers, new ReplicatedPostgres(false));
            case "hazelcast" -> new HazelcastStore(workers);
            default -> new DatabaseStore(workers, new SingleServer(Product.named(name)));
        };
    }

    /** Returns how a worker connects. Stays the same, whatever happens to the servers. */
    Access access(int worker);

    Wire wire(int worker);

    /** Returns the faults that its servers can suffer. */
    List<FaultKind> faults();

    /** Kills all servers and removes what they have written. */
    @Override
    void close();
}
