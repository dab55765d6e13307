// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;

/** The queue of the nodes that wait for a key, as it is in the row. */
final class StoredQueue {

    private final TestDatabase database;
    private final String key;

    StoredQueue(TestDatabase database, String key) {
        this.database = database;
        this.key = key;
    }

    /** Returns the text of the column; null if no node waits. */
    String text() {
        return database.query("SELECT waiters FROM RESERVATION_LOCKS WHERE reservation_key = '" + key + "'");
    }

    /** Returns the names of the nodes in their order. */
    List<String> nodes() {
        String text = text();
        return text == null ? List.of() : List.of(text.split(","));
    }

    /** Replaces the queue by these nodes, as if they had joined it and then been killed. */
    void write(String... nodes) {
        database.execute("UPDATE RESERVATION_LOCKS SET waiters = '" + String.join(",", nodes) + ",'"
                + " WHERE reservation_key = '" + key + "'");
    }

    /** Waits until the queue has so many nodes. */
    void awaitLength(int length) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> nodes().size() == length);
    }
}
