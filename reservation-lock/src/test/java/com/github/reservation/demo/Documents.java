// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documents of the project, and the code that they show. */
public final class Documents {

    private static final Pattern REGION =
            Pattern.compile("^ *// @start region=\"([^\"]+)\"\\n(.*?)\\n *// @end",
                    Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern JAVA_BLOCK =
            Pattern.compile("^```java\\n(.*?)\\n```", Pattern.MULTILINE | Pattern.DOTALL);

    private Documents() {}

    /** Returns the content of a file, given from the root of the project. */
    public static String read(String file) throws IOException {
        return Files.readString(root().resolve(file));
    }

    /** Returns the Java in a document. */
    public static List<String> javaBlocks(String markdown) {
        return JAVA_BLOCK.matcher(markdown).results().map(block -> block.group(1)).toList();
    }

    /** Returns the regions of the examples in a directory, by name and without their indentation. */
    public static Map<String, String> regions(String directory) throws IOException {
        Map<String, String> regions = new HashMap<>();
        try (Stream<Path> files = Files.list(root().resolve(directory))) {
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
