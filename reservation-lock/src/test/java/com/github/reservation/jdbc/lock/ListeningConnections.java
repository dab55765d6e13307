// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** The connections of a PostgreSQL database that listen for notifications, as the server sees them. */
public final class ListeningConnections {

    private static final String FROM_ACTIVITY =
            " FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN reservation_lock'";

    private final TestDatabase database;

    public ListeningConnections(TestDatabase database) {
        this.database = database;
    }

    public int count() {
        return Integer.parseInt(database.query("SELECT COUNT(*)" + FROM_ACTIVITY));
    }

    /** Cuts all of them; returns how many there were. */
    public int cut() {
        return Integer.parseInt(database.query("SELECT COUNT(pg_terminate_backend(pid))" + FROM_ACTIVITY));
    }

    public void awaitCount(int count) {
        await().pollInterval(Duration.ofMillis(10)).untilAsserted(() -> assertThat(count()).isEqualTo(count));
    }
}
