// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Params;
import com.github.reservation.internal.sql.SqlList;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.store.LeaseId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statements that renew many leases on MySQL and MariaDB: a parameter there cannot be an array, and each lease of a JDBC batch
 * would be a commit that waits for the disk. A statement has a list of leases, and counts those that it renewed.
 *
 * @param renew lets the leases that still run end later, never earlier. Fewer rows than leases: some are lost
 * @param findUnlocked locks the rows of those that still run, but for rows that are locked, and reads their keys. In autocommit it
 *     unlocks the rows as it ends
 */
record RenewalLists(SqlList renew, SqlList findUnlocked) {

    /** How many leases a list can have at most. */
    static final int LONGEST = 100;

    static Optional<RenewalLists> of(Dialect dialect, SqlTemplates templates) {
        return dialect.byPrimaryKey("{table}").map(table -> new RenewalLists(
                list(templates, table, "renew several leases, with a list of 10 or 100", """
                        UPDATE {by primary key}
                        SET expires_at = GREATEST(expires_at, {lease end})
                        WHERE ({list})
                          AND expires_at > {now}
                        """),
                list(templates, table, "renew several leases: one is locked, find the others", """
                        SELECT reservation_key
                        FROM {by primary key}
                        WHERE ({list})
                          AND expires_at > {now}
                        FOR UPDATE SKIP LOCKED
                        """)));
    }

    private static SqlList list(SqlTemplates templates, String table, String purpose, String template) {
        return templates.list(
                purpose,
                template,
                Map.of("by primary key", table),
                List.of(10, LONGEST),
                "(reservation_key = :key AND holder = :holder)",
                "\n    OR ");
    }

    /** Returns the leases as the values of a list. */
    static Params paramsOf(List<LeaseId> leases) {
        return Params.of(
                "key", leases.stream().map(LeaseId::key).toList(),
                "holder", leases.stream().map(LeaseId::holder).toList());
    }
}
