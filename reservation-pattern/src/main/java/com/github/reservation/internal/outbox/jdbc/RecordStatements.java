// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;

/**
 * The statements on what is recorded about a listener and an event that it has not received. The instance that writes a record is its
 * owner. An instance that comes late must not touch what another one has recorded since.
 */
final class RecordStatements {

    /** Changes a record. 0 rows: there is none, or it is newer, or another instance holds the event. */
    final SqlStatement update;

    /** Inserts a record. 0 rows: there is one. Only for a transaction that has locked the event. */
    final SqlStatement insert;

    /** Extends the lease of an event that is being delivered. 0 rows: the lease was lost. */
    final SqlStatement renewHold;

    /** Undo a hold whose attempt did not begin: the event is due, and a record of no attempt is deleted. */
    final SqlStatement undoHold;

    final SqlStatement deleteUnused;

    RecordStatements(SqlTemplates templates) {
        this.update = templates.statement("with the event locked: change what is recorded about it and a listener", """
                UPDATE {deliveries}
                SET state = :state,
                    attempts = :attempts,
                    due_at = {later},
                    owner = :owner,
                    last_error = CASE WHEN :state = 'held' THEN last_error ELSE :error END
                WHERE event_id = :id
                  AND listener_id = :listener
                  AND state <> 'done'
                  AND (owner = :owner
                    OR attempts <= :attempts AND (state <> 'held' OR due_at <= {now}))
                """);
        this.insert = templates.statement("with the event locked: record something about it and a listener", """
                INSERT INTO {deliveries} (
                    event_id, listener_id, key_id, state, attempts, due_at, owner, last_error)
                SELECT e.id, :listener, e.key_id, :state, :attempts, {later}, :owner, :error
                FROM {events} e
                WHERE e.id = :id
                  AND NOT EXISTS (
                  SELECT 1
                  FROM {deliveries} d
                  WHERE d.event_id = e.id
                    AND d.listener_id = :listener)
                """);
        this.renewHold = templates.statement("extend the lease of an event that is being delivered", """
                UPDATE {deliveries}
                SET due_at = {later}
                WHERE event_id = :id
                  AND listener_id = :listener
                  AND state = 'held'
                  AND owner = :owner
                  AND due_at > {now}
                """);
        this.undoHold = templates.statement("undo such a lease if the delivery did not begin", """
                UPDATE {deliveries}
                SET state = 'failed',
                    attempts = attempts - 1,
                    due_at = {now}
                WHERE event_id = :id
                  AND listener_id = :listener
                  AND state = 'held'
                  AND owner = :owner
                """);
        this.deleteUnused = templates.statement("remove what is recorded if no attempt is left", """
                DELETE FROM {deliveries}
                WHERE event_id = :id
                  AND listener_id = :listener
                  AND state = 'failed'
                  AND attempts = 0
                """);
    }
}
