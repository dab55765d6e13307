// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import com.github.reservation.jdbc.server.Database;
import com.github.reservation.torture.nemesis.FaultKind;
import java.util.List;
import java.util.function.IntConsumer;

/** The server that has the database now. */
sealed interface Primary permits SingleServer, ReplicatedPostgres {

    Product product();

    int port();

    Database database();

    /** Tells where the database is, each time it has moved to another port. */
    void onMove(IntConsumer listener);

    List<FaultKind> faults();

    void close();
}
