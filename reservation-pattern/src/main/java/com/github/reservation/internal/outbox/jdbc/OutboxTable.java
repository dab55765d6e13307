// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.TableName;
import java.util.List;
import java.util.Locale;

/** The tables of an outbox. The name of the table of events begins the names of the others. */
enum OutboxTable {

    EVENTS("", "id event_key event_type payload created_at"),

    DELIVERIES("_DELIVERIES", "event_id listener_id lane key_id bytes"),

    KEYS("_KEYS", "listener_id key_id lane head attempts owner due_at wait_micros last_error"),

    LANES("_LANES", "listener_id lane owner leased_until lease_micros"),

    LISTENERS("_LISTENERS", "event_type listener_id seen_at");

    private final String suffix;
    private final String columns;

    OutboxTable(String suffix, String columns) {
        this.suffix = suffix;
        this.columns = columns;
    }

    TableName of(TableName events) {
        return new TableName(events + suffix);
    }

    List<String> columns() {
        return List.of(columns.split(" "));
    }

    /** Returns how templates name it. */
    String fragment() {
        return name().toLowerCase(Locale.ROOT);
    }
}
