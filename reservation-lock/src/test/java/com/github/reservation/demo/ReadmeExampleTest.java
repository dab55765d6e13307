// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the documents true: the Java in them is code that was compiled and has run. */
class ReadmeExampleTest {

    private static final Path ROOT = root();
    private static final Path SOURCES =
            ROOT.resolve("reservation-lock/src/test/java/com/github/reservation/demo");
    private static final Pattern REGION =
            Pattern.compile("^ *// @start region=\"([^\"]+)\"\\n(.*?)\\n *// @end",
                    Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern JAVA_BLOCK =
            Pattern.compile("^```java\\n(.*?)\\n```", Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void readmeShowsExactlyTheSixLinesThatRun() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));

        assertThat(javaBlocks(readme).getFirst()).isEqualTo(regions().get("first-screen"));
    }

    @Test
    void theSixLinesRun() {
        assertThatCode(() -> ReadmeExample.main(new String[0])).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "README.md",
            "docs/testing.md",
            "docs/leases.md",
            "docs/architecture/RESERVATION-PATTERN.md",
            "docs/EXPIRATION.md",
            "docs/backends/postgresql.md",
            "docs/backends/mariadb.md",
            "docs/backends/mysql.md",
            "docs/backends/h2.md",
            "docs/backends/hazelcast.md",
            "docs/backends/oracle.md"})
    void everyJavaBlockIsCompiledAndRun(String document) throws IOException {
        String text = Files.readString(ROOT.resolve(document));

        assertThat(javaBlocks(text)).isNotEmpty().isSubsetOf(regions().values());
    }

    private static List<String> javaBlocks(String markdown) {
        return JAVA_BLOCK.matcher(markdown).results().map(block -> block.group(1)).toList();
    }

    /** Returns the regions of the examples, by name and without their indentation. */
    private static Map<String, String> regions() throws IOException {
        Map<String, String> regions = new HashMap<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                for (MatchResult region : REGION.matcher(Files.readString(file)).results().toList()) {
                    regions.put(region.group(1), region.group(2).stripIndent());
                }
            }
        }
        return regions;
    }

    /** Finds the root of the project from wherever the tests are started. */
    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve(".mvn"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
