// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.SqlStatement;
import com.github.reservation.internal.sql.SqlTemplates;
import com.github.reservation.store.LeaseId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The statements that renew many leases on MySQL and MariaDB: a parameter there cannot be an array, and each lease of a JDBC batch
 * would be a commit that waits for the disk. A statement has a list of leases, and counts those that it renewed.
 */
final class RenewalLists {

    /** How many leases a list can have at most. */
    static final int LONGEST = 100;

    /** A list is filled up with its last lease, so that the database sees few different statements. */
    private static final List<Integer> SIZES = List.of(10, LONGEST);

    /** By the number of leases: lets those that still run end later, never earlier. Fewer rows than leases: some are lost. */
    private final NavigableMap<Integer, SqlStatement> renew = new TreeMap<>();

    /** By the number of leases: locks the rows of those that still run, but for rows that are locked, and reads their keys. */
    private final NavigableMap<Integer, SqlStatement> findUnlocked = new TreeMap<>();

    private RenewalLists(SqlTemplates templates, String table) {
        for (int size : SIZES) {
            Map<String, String> listed = Map.of(
                    "by primary key", table,
                    "listed",
                    String.join("\n    OR ",
                            Collections.nCopies(size, "(reservation_key = :key AND holder = :holder)")));
            renew.put(size, templates.statement("""
                    UPDATE {by primary key}
                    SET expires_at = GREATEST(expires_at, {lease end})
                    WHERE ({listed})
                      AND expires_at > {now}
                    """, listed));
            findUnlocked.put(size, templates.statement("""
                    SELECT reservation_key
                    FROM {by primary key}
                    WHERE ({listed})
                      AND expires_at > {now}
                    FOR UPDATE SKIP LOCKED
                    """, listed));
        }
    }

    static Optional<RenewalLists> of(Dialect dialect, SqlTemplates templates) {
        return dialect.byPrimaryKey("{table}").map(table -> new RenewalLists(templates, table));
    }

    /** Returns the statement for so many leases. */
    SqlStatement renew(int leases) {
        return Objects.requireNonNull(renew.ceilingEntry(leases)).getValue();
    }

    /** Returns the statement for so many leases. In autocommit it unlocks the rows as it ends. */
    SqlStatement findUnlocked(int leases) {
        return Objects.requireNonNull(findUnlocked.ceilingEntry(leases)).getValue();
    }

    /** Returns the values of {@link #renew}: the first is the duration, then each lease has two. */
    static SqlStatement.Values valuesOf(List<LeaseId> leases, long micros) {
        return valuesFrom(2, leases, micros);
    }

    /** Returns the values of {@link #findUnlocked}: each lease has two. */
    static SqlStatement.Values valuesOf(List<LeaseId> leases) {
        return valuesFrom(1, leases, 0);
    }

    private static SqlStatement.Values valuesFrom(int first, List<LeaseId> leases, long micros) {
        return (statement, index, parameter) -> {
            LeaseId lease = leases.get(Math.min((index - first) / 2, leases.size() - 1));
            LockValues.of(lease.key(), lease.holder(), micros).set(statement, index, parameter);
        };
    }

    void addTo(Map<String, SqlStatement> all) {
        all.put("renew several leases, with a list of 10 or 100", renew(1));
        all.put("renew several leases: one is locked, find the others", findUnlocked(1));
    }
}
