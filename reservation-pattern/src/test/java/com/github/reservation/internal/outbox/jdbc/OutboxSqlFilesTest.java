// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.internal.sql.SqlFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files with what we say to the tables of an outbox. */
class OutboxSqlFilesTest {

    private static List<String> names() {
        return Dialects.all().stream().map(Dialect::name).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theFileHasAllStatements(String name) throws IOException {
        SqlFile.check(name + "-outbox", """
                -- All statements that reservation-lock sends to the tables of an outbox on %1$s, as they are sent.
                -- Most are transactions of their own. Those that append belong to a caller's. Those that move, remove,
                -- retry or forget deliveries, and those that register a listener, share one with their neighbours.
                -- The tables are what com.github.reservation.jdbc.Ddl prints for %1$s-outbox.
                -- This file is written by OutboxSqlFilesTest; do not edit it.
                """.formatted(name), OutboxStatementsOf.tables(Dialects.named(name)));
    }
}
