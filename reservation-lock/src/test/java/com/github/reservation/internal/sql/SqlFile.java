// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A file in {@code docs/backends/sql}: whoever looks after a database can read there all that we say to it. */
public final class SqlFile {

    public static final Path FOLDER = Path.of("..", "docs", "backends", "sql");

    private static final String WRITE = "reservation.writeSql";

    private SqlFile() {}

    /** Returns the text of each statement by its purpose. */
    public static Map<String, String> textsOf(SqlTemplates templates) {
        Map<String, String> texts = new LinkedHashMap<>();
        templates.statements().forEach(statement -> assertThat(texts.put(statement.purpose(), statement.text()))
                .as("another statement %s", statement.purpose())
                .isNull());
        return texts;
    }

    /** Asserts that the file has the statements, by their purpose; or writes it, if that is asked for. */
    public static void check(String name, String header, Map<String, String> statements) throws IOException {
        Path file = FOLDER.resolve(name + ".sql");
        String printed = statements.entrySet().stream()
                .map(entry -> "\n-- " + entry.getKey() + "\n" + entry.getValue() + ";\n")
                .collect(Collectors.joining("", header, ""));
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, printed);
        }

        assertThat(file)
                .as("Write it anew with: mvn test -Dtest='*SqlFilesTest' -D%s=true, and look at what changed", WRITE)
                .hasContent(printed);
    }
}
