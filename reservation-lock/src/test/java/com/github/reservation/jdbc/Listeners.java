// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** The connections of a PostgreSQL database that listen for calls, as the server sees them. */
final class Listeners {

    private static final String THEY_ARE =
            " FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN reservation_lock'";

    private final TestDatabase database;

    Listeners(TestDatabase database) {
        this.database = database;
    }

    int count() {
        return Integer.parseInt(database.query("SELECT COUNT(*)" + THEY_ARE));
    }

    /** Cuts all of them; returns how many there were. */
    int cut() {
        return Integer.parseInt(database.query("SELECT COUNT(pg_terminate_backend(pid))" + THEY_ARE));
    }

    void awaitCount(int count) {
        await().pollInterval(Duration.ofMillis(10)).untilAsserted(() -> assertThat(count()).isEqualTo(count));
    }
}
