// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the documents true: the Java in them is code that was compiled and has run. */
class PatternDocumentsTest {

    private static final String SOURCES = "reservation-pattern/src/test/java/com/github/reservation/demo";

    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture/RESERVATION-PATTERN.md", "docs/EXPIRATION.md", "docs/OUTBOX.md"})
    void everyJavaBlockIsCompiledAndRun(String document) throws IOException {
        String text = Documents.read(document);

        assertThat(Documents.javaBlocks(text)).isNotEmpty().isSubsetOf(Documents.regions(SOURCES).values());
    }
}
