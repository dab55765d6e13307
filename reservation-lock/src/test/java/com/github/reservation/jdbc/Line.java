// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;

/** The nodes that stand in line for a key, as the database has them. */
final class Line {

    private final TestDatabase database;
    private final String key;

    Line(TestDatabase database, String key) {
        this.database = database;
        this.key = key;
    }

    /** Returns what is in the column; null if nobody waits. */
    String text() {
        return database.query("SELECT waiters FROM RESERVATION_LOCKS WHERE reservation_key = '" + key + "'");
    }

    /** Returns the names of the nodes, the first in line first. */
    List<String> places() {
        String text = text();
        return text == null ? List.of() : List.of(text.split(","));
    }

    /** Puts these nodes in line, and nobody else: as they would have left it if they had been killed since. */
    void write(String... nodes) {
        database.execute("UPDATE RESERVATION_LOCKS SET waiters = '" + String.join(",", nodes) + ",'"
                + " WHERE reservation_key = '" + key + "'");
    }

    /** Waits until so many nodes are in line. */
    void awaitLength(int length) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> places().size() == length);
    }
}
