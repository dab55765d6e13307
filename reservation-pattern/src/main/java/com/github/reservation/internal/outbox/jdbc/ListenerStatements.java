// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;

/** The statements that make a listener known. */
final class ListenerStatements {

    /** Reads the lanes of a listener that are there. */
    final SqlStatement lanes;

    /** Inserts a lane of a listener. A duplicate key: another instance has inserted it meanwhile. */
    final SqlStatement insertLane;

    /** Reads the types of a listener. No row: it is new. */
    final SqlStatement types;

    /** Inserts a listener. A duplicate key: another instance has inserted it meanwhile. */
    final SqlStatement insert;

    /** Changes the types of a listener. 0 rows: another instance has changed them meanwhile. */
    final SqlStatement update;

    ListenerStatements(SqlTemplates templates) {
        this.lanes = templates.statement("register a listener: read which lanes it has", """
                SELECT lane
                FROM {lanes}
                WHERE listener_id = :listener
                """);
        this.insertLane = templates.statement("register a listener: insert a lane", """
                INSERT INTO {lanes} (listener_id, lane, owner, leased_until)
                VALUES (:listener, :lane, '-', {now})
                """);
        this.types = templates.statement("register a listener: read its types", """
                SELECT event_types
                FROM {listeners}
                WHERE listener_id = :listener
                """);
        this.insert = templates.statement("register a listener: insert it", """
                INSERT INTO {listeners} (listener_id, event_types)
                VALUES (:listener, :types)
                """);
        this.update = templates.statement("register a listener: add types", """
                UPDATE {listeners}
                SET event_types = :types
                WHERE listener_id = :listener
                  AND event_types = :old
                """);
    }
}
