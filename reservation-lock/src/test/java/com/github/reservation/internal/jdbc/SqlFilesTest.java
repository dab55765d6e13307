// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.sql.Dialect;
import com.github.reservation.internal.sql.Dialects;
import com.github.reservation.internal.sql.SqlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files with what we say to a lock table. */
class SqlFilesTest {

    private static List<String> names() {
        return Dialects.all().stream().map(Dialect::name).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theFileHasAllStatements(String name) throws IOException {
        SqlFile.check(name, """
                -- All statements that reservation-lock sends to a lock table on %1$s, as they are sent.
                -- Each is a transaction of its own. The table is what java -jar reservation-lock.jar ddl %1$s prints.
                -- This file is written by SqlFilesTest; do not edit it.
                """.formatted(name), StatementsOf.table(Dialects.named(name)));
    }

    @Test
    void thereAreNoOtherFiles() throws IOException {
        try (Stream<Path> files = Files.list(SqlFile.FOLDER)) {
            assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(names().stream()
                            .flatMap(name -> Stream.of(name + ".sql", name + "-claims.sql", name + "-outbox.sql"))
                            .toList());
        }
    }
}
