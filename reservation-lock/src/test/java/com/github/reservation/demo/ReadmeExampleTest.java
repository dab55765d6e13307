// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the documents true: the Java in them is code that was compiled and has run. */
class ReadmeExampleTest {

    private static final String SOURCES = "reservation-lock/src/test/java/com/github/reservation/demo";

    @Test
    void readmeShowsExactlyTheLinesThatRun() throws IOException {
        String readme = Documents.read("README.md");

        assertThat(Documents.javaBlocks(readme).getFirst()).isEqualTo(
                Documents.regions(SOURCES).get("first-screen"));
    }

    @Test
    void theLinesRun() {
        assertThatCode(() -> ReadmeExample.main(new String[0])).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "README.md",
            "docs/guide.md",
            "docs/testing.md",
            "docs/leases.md",
            "docs/backends/postgresql.md",
            "docs/backends/mysql.md",
            "docs/backends/h2.md",
            "docs/backends/hazelcast.md",
            "docs/backends/oracle.md"})
    void everyJavaBlockIsCompiledAndRun(String document) throws IOException {
        String text = Documents.read(document);

        Map<String, String> regions = new HashMap<>(Documents.regions(SOURCES));
        regions.putAll(Documents.regions(SOURCES.replace("reservation-lock", "reservation-lock-test")));
        assertThat(Documents.javaBlocks(text)).isNotEmpty().isSubsetOf(regions.values());
    }
}
