// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.lock.TestDatabase;
import java.util.List;

/** The tables of an outbox in a database of the tests. */
public final class OutboxTables {

    private OutboxTables() {}

    /** Creates them, empty, in place of those that are there. */
    public static void install(TestDatabase database) {
        for (String table : List.of("", "_DELIVERIES", "_KEYS", "_LANES", "_LISTENERS")) {
            database.execute("DROP TABLE IF EXISTS RESERVATION_OUTBOX" + table);
        }
        database.execute(Ddl.of(database.kind().ddl() + "-outbox"));
    }
}
