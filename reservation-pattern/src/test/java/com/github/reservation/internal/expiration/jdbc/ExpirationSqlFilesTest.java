// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever looks after a database can read in {@code docs/backends/sql/expiration} what a source sends to it. */
class ExpirationSqlFilesTest {

    private static final Path FOLDER = Path.of("..", "docs", "backends", "sql", "expiration");
    private static final String WRITE = "reservation.writeSql";

    private static List<Dialect> dialects() {
        return Dialects.all();
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void theFileHasAllStatements(Dialect dialect) throws IOException {
        String header = """
                -- All statements that a TableExpirationSource sends on %s, for the orders in docs/EXPIRATION.md.
                -- A batch is a transaction: lock, change, and the statements of your work.
                -- This file is written by ExpirationSqlFilesTest; do not edit it.
                """.formatted(dialect.name());
        String statements = ExpirationStatementsOf.orders(dialect).entrySet().stream()
                .map(entry -> "\n-- " + entry.getKey() + "\n" + entry.getValue() + ";\n")
                .collect(Collectors.joining("", header, ""));
        Path file = FOLDER.resolve(dialect.name() + ".sql");
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, statements);
        }

        assertThat(file)
                .as("Write it anew with: mvn test -Dtest=ExpirationSqlFilesTest -D%s=true, and look at what changed",
                        WRITE)
                .hasContent(statements);
    }
}
