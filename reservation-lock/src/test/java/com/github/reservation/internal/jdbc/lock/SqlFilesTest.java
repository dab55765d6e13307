// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever looks after a database can read in {@code docs/backends/sql} all that we say to it. */
class SqlFilesTest {

    private static final Path FOLDER = Path.of("..", "docs", "backends", "sql");
    private static final String WRITE = "reservation.writeSql";

    private static List<String> names() {
        return Dialects.all().stream().map(Dialect::name).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theFileHasAllStatements(String name) throws IOException {
        Dialect dialect =
                Dialects.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        Path file = FOLDER.resolve(name + ".sql");
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, printed(dialect));
        }

        assertThat(file)
                .as("Write it anew with: mvn test -Dtest=SqlFilesTest -D%s=true, and look at what changed", WRITE)
                .hasContent(printed(dialect));
    }

    @Test
    void thereAreNoOtherFiles() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(names().stream().map(name -> name + ".sql").toList());
        }
    }

    private static String printed(Dialect dialect) {
        String header = """
                -- All statements that reservation-lock sends to a lock table on %1$s, as they are sent.
                -- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl %1$s prints.
                -- This file is written by SqlFilesTest; do not edit it.
                """.formatted(dialect.name());
        return StatementsOf.table(dialect).entrySet().stream()
                .map(entry -> "\n-- " + entry.getKey() + "\n" + entry.getValue() + ";\n")
                .collect(Collectors.joining("", header, ""));
    }
}
